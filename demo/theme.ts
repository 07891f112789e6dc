import { byId } from './dom.ts';

type Theme = 'system' | 'light' | 'dark';
const order: readonly Theme[] = ['system', 'light', 'dark'];
const names: Record<Theme, string> = { system: 'as the system', light: 'light', dark: 'dark' };
const key = 'shelfmark-theme';

/** The button that goes through system, light and dark colours; `public/theme.js` applies the choice early. */
export function themeButton(): void {
  const button = byId('theme');
  const root = document.documentElement;
  const current = (): Theme => (root.dataset['theme'] as Theme | undefined) ?? 'system';
  const name = (): void => {
    button.setAttribute('aria-label', `Colours: ${names[current()]}`);
    button.title = `Colours: ${names[current()]}`;
  };
  button.addEventListener('click', () => {
    const next = order[(order.indexOf(current()) + 1) % order.length]!;
    if (next === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = next;
    try {
      if (next === 'system') localStorage.removeItem(key);
      else localStorage.setItem(key, next);
    } catch {
      // Storage is off: the choice holds until the page is closed.
    }
    name();
  });
  name();
}
