import { byId } from './dom.ts';

/** A popover of buttons under the button that opens it, walked with the arrow keys. */
export function menuUnder(button: HTMLElement, menu: HTMLElement): void {
  const items = (): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('button')];
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    menu.showPopover();
    items()
      .at(event.key === 'ArrowDown' ? 0 : -1)
      ?.focus();
  });
  menu.addEventListener('keydown', (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  });
  menu.addEventListener('toggle', () => {
    const { bottom, right } = button.getBoundingClientRect();
    menu.style.top = `${bottom + 6}px`;
    menu.style.left = `${Math.max(8, right - menu.offsetWidth)}px`;
  });
}

/** Hands a file to the reader's downloads. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has begun with the click; what it reads is kept a while.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Puts a text on the clipboard and says so on the button, for a moment. */
export async function copyFrom(button: HTMLElement, text: string, label: string): Promise<void> {
  const done = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  button.textContent = done ? 'Copied' : 'Not allowed';
  button.classList.toggle('done', done);
  setTimeout(() => {
    button.textContent = label;
    button.classList.remove('done');
  }, 1600);
}

/** The samples' menu of the top bar. */
export const samplesMenu = (): HTMLElement => {
  const menu = byId('sample-menu');
  menuUnder(byId('samples'), menu);
  return menu;
};
