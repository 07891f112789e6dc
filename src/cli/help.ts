/** What `--help` says. docs/build.md says the same at length. */
export const help = `shelfmark: indexes made ahead, for openIndex({ from })

Usage
  shelfmark build <dir> --out <file> [options]
  shelfmark query <file> "<question>" [options]
  shelfmark push <file> --to <url> [options]
  shelfmark copy-model <public-dir>

build: reads .md, .markdown, .mdx, .html, .htm, .txt and .csv files into one index file
  --out, -o <file>     the file to write; goes on from it where it is there
  --embed              with vectors by the bundled model (needs @xenova/transformers)
  --base-url <url>     where the pages are served, for the address of each hit
  --ext <ending>       what pages end in there in place of .md, default .html; '' for none
  --slugger <name>     whose anchors headings have: github (default), vitepress, docusaurus, mdbook
  --words              with its words packed: a third larger, first search of a large index sooner
  --fresh              builds anew, whatever the file holds

query: answers a question from an index file
  --top-k <n>          passages at most, default 5
  --mode <mode>        auto (default), hybrid, lexical or semantic
  --json               hits as JSON

push: copies an index file with its vectors into a Chroma server (needs chromadb); goes on where it stopped
  --to <url>           the server, as http://localhost:8000
  --collection <name>  the collection, made where there is none; the file's name by default
  --header 'K: V'      sent with each request; may be given several times
  --prune              removes documents that the file does not have

copy-model: copies the bundled model to <public-dir>/models/ and ONNX Runtime's files to
  <public-dir>/ort/, where transformersEmbedder() looks for them

  --help, -h           this text
  --version            the version of the package

Exit codes: 0 done, 1 failed, 2 not understood, 130 interrupted
`;
