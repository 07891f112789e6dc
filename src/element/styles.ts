const css = `
:host { display: inline-block; font: 400 1rem / 1.45 var(--shelfmark-font, system-ui, sans-serif); }
:host([hidden]) { display: none; }
.root {
  --ground: var(--shelfmark-ground, light-dark(#fdfdfb, #181d1a));
  --ink: var(--shelfmark-ink, light-dark(#1b221f, #e3e8e4));
  --muted: var(--shelfmark-muted, light-dark(#545e59, #9ba7a1));
  --line: var(--shelfmark-line, light-dark(#dde2dc, #2f3833));
  --accent: var(--shelfmark-accent, light-dark(#0b6455, #6fd0b8));
  --tint: var(--shelfmark-tint, light-dark(#e6f1ed, #20352e));
  --mark: var(--shelfmark-mark, light-dark(#bfe6d9, #23574a));
  --danger: light-dark(#a3271f, #f09a8f);
  --radius: var(--shelfmark-radius, 12px);
}
.root[data-scheme=system] { color-scheme: light dark; }
.root[data-scheme=light] { color-scheme: light; }
.root[data-scheme=dark] { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
button, input { font: inherit; color: inherit; letter-spacing: inherit; }
.icon { flex: none; width: 1.15em; height: 1.15em; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }
kbd { font: inherit; font-size: .75em; line-height: 1; padding: .3em .45em; border: 1px solid; border-radius: 5px;
  border-color: color-mix(in srgb, currentColor 28%, transparent); }
.open { display: inline-flex; align-items: center; gap: .55em; min-height: 2.25rem; padding: .3rem .65rem; cursor: pointer;
  border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: 8px; background: none; color: inherit; }
.open:hover { border-color: currentColor; }
.open kbd { margin-inline-start: .6em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.open:focus-visible { outline-color: currentColor; }

dialog { width: min(var(--shelfmark-width, 42rem), calc(100vw - 2rem)); height: min(35rem, 84dvh);
  max-width: none; max-height: none; margin: 8dvh auto auto; padding: 0; overflow: hidden; border: 1px solid var(--line);
  border-radius: var(--radius); background: var(--ground); color: var(--ink); text-align: start;
  box-shadow: 0 1.2rem 4rem rgb(0 0 0 / 28%); }
dialog::backdrop { background: rgb(14 24 20 / 42%); }
.frame { display: flex; flex-direction: column; height: 100%; }
.head { display: flex; align-items: center; gap: .7rem; padding: 0 .6rem 0 1.1rem; border-bottom: 1px solid var(--line); }
.head > .icon { color: var(--accent); }
input { flex: 1; min-width: 0; height: 3.5rem; padding: 0; border: 0; outline: 0; background: none; font-size: 1.125rem;
  appearance: none; }
input:focus-visible { outline: 0; }
input::placeholder { color: var(--muted); opacity: 1; }
.head:has(input:focus-visible) { box-shadow: inset 0 -2px var(--accent); border-color: var(--accent); }
.close { display: grid; place-items: center; width: 2.5rem; height: 2.5rem; padding: 0; border: 0; border-radius: 8px;
  background: none; color: var(--muted); cursor: pointer; }
.close:hover { color: var(--ink); background: var(--tint); }

.list, .note { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; scrollbar-width: thin; }
.list { padding: .35rem .6rem .9rem; scroll-padding: 2.6rem .6rem; }
.page { position: sticky; top: -.35rem; z-index: 1; display: flex; align-items: baseline; gap: .6rem; padding: .7rem .55rem .3rem;
  background: var(--ground); font-size: .8125rem; font-weight: 650; color: var(--accent); }
.page span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.page .uri { flex: 1; min-width: 0; font-weight: 400; color: var(--muted); text-align: end; }
.option { display: block; padding: .5rem .7rem .55rem; border-radius: 8px; color: inherit; text-decoration: none; cursor: pointer;
  border-inline-start: 3px solid transparent; overflow-wrap: anywhere; }
.option[aria-selected=true] { background: var(--tint); border-color: var(--accent); }
.path { display: block; font-size: .9375rem; color: var(--muted); }
.path b { font-weight: 600; color: var(--ink); }
.snippet { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; margin-top: .1rem;
  font-size: .875rem; color: var(--muted); }
.option[aria-selected=true] :is(.path, .snippet) { color: var(--ink); }
mark { border-radius: 3px; padding: .05em .1em; margin: 0 -.1em; background: var(--mark); color: var(--ink); }

.note { display: grid; place-content: center; justify-items: center; gap: .5rem; padding: 1.5rem 1.5rem 14%; text-align: center;
  color: var(--muted); }
.note > .icon { width: 1.9rem; height: 1.9rem; stroke-width: 1.5; color: var(--accent); }
.note p { margin: 0; max-width: 34em; overflow-wrap: anywhere; }
.note .title { font-size: 1.0625rem; font-weight: 600; color: var(--ink); }
.note.error > .icon { color: var(--danger); }
.note button { margin-top: .5rem; padding: .45rem .95rem; border: 1px solid var(--accent); border-radius: 8px; background: none;
  color: var(--accent); font-weight: 600; cursor: pointer; }
.note button:hover { background: var(--tint); }
.bones { flex: 1; padding: 1.5rem 1.3rem; overflow: hidden; }
.bones i { display: block; height: .8rem; margin-bottom: .75rem; border-radius: 5px; background: var(--line); }
.bones i:nth-child(3n + 1) { width: 34%; }
.bones i:nth-child(3n) { width: 72%; margin-bottom: 1.7rem; }

.foot { display: flex; align-items: center; gap: .9rem; height: 2.5rem; padding: 0 1.1rem; border-top: 1px solid var(--line);
  font-size: .8125rem; color: var(--muted); white-space: nowrap; }
.state { display: flex; align-items: center; gap: .5em; min-width: 0; }
.state span { overflow: hidden; text-overflow: ellipsis; }
.state::before { content: ""; flex: none; width: .5rem; height: .5rem; border-radius: 50%; background: var(--line); }
.state[data-state=ready]::before { background: var(--accent); }
.state[data-state=busy]::before { background: none; border: 2px solid var(--accent); }
.state[data-state=error]::before { background: var(--danger); }
progress { width: 7rem; height: 4px; border: 0; border-radius: 2px; overflow: hidden; appearance: none; background: var(--line);
  color: var(--accent); }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
.keys { display: flex; align-items: center; gap: .45em; margin-inline-start: auto; }
.keys span { margin-inline-end: .6em; }
.live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 40rem) {
  dialog { width: 100vw; height: 100dvh; margin: 0; border: 0; border-radius: 0; }
  .head { padding-top: env(safe-area-inset-top); }
  .foot { height: calc(2.5rem + env(safe-area-inset-bottom)); padding-bottom: env(safe-area-inset-bottom); }
  .keys, .page .uri { display: none; }
  .close { width: 2.75rem; height: 2.75rem; }
}
@media (hover: none) { .keys, .open kbd { display: none; } }
@media (prefers-reduced-motion: no-preference) {
  dialog[open] { animation: rise .14s ease-out; }
  .bones i { animation: breathe 1.4s ease-in-out infinite alternate; }
}
@keyframes rise { from { opacity: 0; transform: translateY(-6px); } }
@keyframes breathe { to { opacity: .45; } }
@media (forced-colors: active) {
  .option[aria-selected=true] { outline: 2px solid Highlight; outline-offset: -2px; }
  mark { background: Mark; color: MarkText; }
}
`;

let sheet: CSSStyleSheet | undefined;

/** One sheet for all elements, made when the first one is. Not a style element, which a strict policy refuses. */
export function styles(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}
