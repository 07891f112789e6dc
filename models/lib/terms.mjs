/**
 * The words the recipe treats by hand: what is left out, and what is fetched from the rare end of the list.
 */

const list = (text) => text.trim().split(/\s+/);

/**
 * Function words, left out of the vocabulary. They say nothing of a text's subject, and GloVe's rows for
 * them are long. "How do I get my money back?" should be about money.
 */
export const functionWords = new Set(
  list(`
    a about above after again all also am an and any are as at back be because been before being below
    between both but by can could did do does doing down during each few for from further get gets getting
    go got had has have having he her here hers him his how i if in into is it its just like may me might
    more most must my no nor not now of off on once only or other our out over own same shall she should so
    some such than that the their them then there these they this those through to too under until up upon
    us very was we were what when where whether which while who whom whose why will with within would you
    your
  `),
);

/** Words whose mean direction stands for "programming". */
export const programmingSeeds = list(`
  javascript python compiler api plugin database html css xml unix linux runtime debugger parser syntax
  algorithm server browser cache interface module library function variable string integer boolean array
  object class method callback thread bytecode
`);

/** Rarer words than the cut that are kept where they lie at least this near to the seeds (cosine). */
export const programmingCosine = 0.3;

/** Rare words that documentation uses and news did not, so that GloVe puts them elsewhere. */
export const programmingTerms = list(`
  ajax autocomplete backend changelog chatbot codebase codec config cron daemon datacenter dataframe dataset
  deduplication deprecated deserialize devops django dockerfile docker drupal dropdown enum enums favicon
  frontend git github gitlab gradle grep gzip hadoop hash hashes hashing hostname html5 http https idempotent
  iframe indexing inline iterator iterators javadoc jenkins jquery jpa json jvm kotlin latency lambda linter
  localhost lookup lucene lua markdown maven memoization metadata middleware minified mongodb mysql
  namespace namespaces nginx nodejs npm nullable oauth obfuscation onboarding onclick opencl parse parser
  parsers parsing php plaintext polyfill popup postgres postgresql prefetch preprocessor promises proxies
  queue queues readme rebase refactor refactored refactoring refactor regexes regexp repo repos rollback
  rollout rsync ruby runtime sandbox scala schema schemas scroll sdk serialization serializer shader signup
  sortable sql sqlite ssh ssl stacktrace stderr stdin stdout struct structs stylesheet stylesheets subclass
  subclasses subdomain subfolder subversion svg svn swift symlink tcp telemetry throttling timestamp
  timestamps timezone tls toggle tokenization tokenizer tooltip tooltips typescript ubuntu udp unicode
  unsubscribe uri url urls username usernames utf validator viewport virtualization vue webapp webhook
  webpage webserver websocket websockets whitespace wiki wildcard workflow workflows xhtml xpath yaml zsh
`);
