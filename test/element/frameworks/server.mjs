// Takes the snippets out of docs/element.md, builds each with its framework, and serves them at /react/, /vue/ and
// /svelte/, with the file of an index beside them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { build } from 'vite';

const here = import.meta.dirname;
const root = join(here, '..', '..', '..');
const port = Number(process.argv[2]);
const work = join(here, 'node_modules', '.snippets');

const docs = readFileSync(join(root, 'docs', 'element.md'), 'utf8');
/** The first block of a language under a heading. */
function block(heading, language) {
  const section = docs.split(`### ${heading}\n`)[1];
  const found = section?.match(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``))?.[1];
  if (found === undefined) throw new Error(`docs/element.md has no ${language} block under "${heading}".`);
  return found;
}

const apps = {
  react: {
    'App.tsx': block('React', 'tsx'),
    'main.tsx':
      "import { createRoot } from 'react-dom/client';\nimport { App } from './App.tsx';\ncreateRoot(document.querySelector('#app')!).render(<App />);\n",
  },
  vue: {
    'App.vue': block('Vue', 'vue'),
    'main.tsx':
      "import { createApp } from 'vue';\nimport App from './App.vue';\ncreateApp(App).mount('#app');\n",
  },
  svelte: {
    'App.svelte': block('Svelte', 'svelte'),
    'main.tsx':
      "import { mount } from 'svelte';\nimport App from './App.svelte';\nmount(App, { target: document.querySelector('#app') });\n",
  },
};
const plugins = {
  react: [],
  // As docs/element.md says.
  vue: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('shelfmark-') } } })],
  svelte: [svelte({ configFile: false })],
};
const alias = [
  { find: /^shelfmark\/element$/, replacement: join(root, 'src', 'element', 'index.ts') },
  { find: /^shelfmark$/, replacement: join(root, 'src', 'index.ts') },
];

const files = new Map();
rmSync(work, { recursive: true, force: true });
for (const [name, sources] of Object.entries(apps)) {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(sources)) writeFileSync(join(folder, file), text);
  const { output } = await build({
    configFile: false,
    root: folder,
    base: `/${name}/`,
    logLevel: 'warn',
    plugins: plugins[name],
    resolve: { alias },
    oxc: { jsx: { runtime: 'automatic' } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      modulePreload: false,
      rollupOptions: { input: join(folder, 'main.tsx'), output: { entryFileNames: 'main.js' } },
    },
  });
  for (const file of output) files.set(`/${name}/${file.fileName}`, file.code ?? file.source);
}

const page = (name) =>
  `<!doctype html><html lang="en"><title>${name}</title><body><div id="app"></div><script type="module" src="/${name}/main.js"></script></body></html>`;

createServer(({ url = '/' }, response) => {
  const code = files.get(url);
  const name = url.slice(1, -1);
  if (code !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(code);
  else if (url === '/')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>snippets</title>');
  else if (apps[name]) response.writeHead(200, { 'content-type': 'text/html' }).end(page(name));
  else response.writeHead(url === '/favicon.ico' ? 204 : 404).end();
}).listen(port, '127.0.0.1');
