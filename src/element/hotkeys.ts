/** Keys that open a search unless the attribute says otherwise: names as `KeyboardEvent.key` has them, `mod` is Ctrl or ⌘. */
export const defaultHotkeys = '/ mod+k';

/** Whether a key press is one of the listed keys. */
export function isHotkey(event: KeyboardEvent, hotkeys: string): boolean {
  return hotkeys
    .toLowerCase()
    .split(/\s+/)
    .some((hotkey) => hotkey !== '' && matches(event, hotkey));
}

function matches(event: KeyboardEvent, hotkey: string): boolean {
  const mod = hotkey.startsWith('mod+');
  const wanted = mod ? hotkey.slice(4) : hotkey;
  // Some layouts reach a character by AltGr, which counts as Ctrl and Alt together.
  const plain = event.getModifierState('AltGraph') || !(event.altKey || event.ctrlKey || event.metaKey);
  const held = mod ? event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey : plain;
  if (!held) return false;
  const key = event.key.toLowerCase();
  // A layout of another script names another letter; the key's place tells which one is meant.
  return key === wanted || (mod && key > '\u007f' && event.code.toLowerCase() === `key${wanted}`);
}

/** The keys as a label shows them and as assistive technology is told, on this machine. */
export function hotkeyLabels(hotkeys: string): { shown: string; spoken: string } {
  const mac = /mac|iphone|ipad/i.test(navigator.platform);
  const all = hotkeys.split(/\s+/).filter((hotkey) => hotkey !== '');
  const name = (hotkey: string, mod: string) =>
    hotkey.replace(/^mod\+/i, mod).replace(/.$/, (key) => key.toUpperCase());
  return {
    shown: all.length === 0 ? '' : name(all.at(-1)!, mac ? '⌘ ' : 'Ctrl '),
    spoken: all.map((hotkey) => name(hotkey, mac ? 'Meta+' : 'Control+')).join(' '),
  };
}

/** Kinds of input that take no text. */
const silent = /^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/;
const textRoles = /^(?:textbox|searchbox|combobox|spinbutton)$/;

/** Whether a key press belongs to something one types into. */
export function isTyping(event: KeyboardEvent): boolean {
  if (document.designMode === 'on') return true;
  const [target] = event.composedPath();
  if (!(target instanceof Element)) return false;
  // The field of a dialog that has just closed keeps the focus until the next frame; nobody types into it.
  if (target.closest('dialog:not([open])') !== null) return false;
  if (target instanceof HTMLInputElement) return !silent.test(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if ((target as HTMLElement).isContentEditable || ('editContext' in target && target.editContext))
    return true;
  if (textRoles.test(target.getAttribute('role') ?? '')) return true;
  // What is focused inside a closed shadow root cannot be seen, so it may be a field.
  return target.localName.includes('-') && target.shadowRoot === null && target === document.activeElement;
}

/** Whether a key belongs to an input method, also the Enter that ends a composition and is not flagged as such. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;
