import { expect, test } from './box.ts';

const element = '<shelfmark-search src="/site.shelf"></shelfmark-search>';

test('a hotkey opens from anywhere one is not typing', async ({ box, page }) => {
  await box.goto(`${element}<button id="plain">b</button><input type="checkbox" id="check">`);
  for (const place of ['body', '#plain', '#check']) {
    for (const key of ['/', 'Control+k', 'Meta+k']) {
      if (place !== 'body') await page.locator(place).focus();
      await page.keyboard.press(key);
      await expect(box.dialog, `${key} on ${place}`).toBeVisible();
      await expect(box.input).toHaveValue('');
      await page.keyboard.press('Control+k');
      await expect(box.dialog).toBeHidden();
    }
  }
});

test('a hotkey pressed before the frame after closing opens it again, though its field still has the focus', async ({
  box,
  page,
}) => {
  await box.goto();
  const again = await page.evaluate(() => {
    const search = document.querySelector('shelfmark-search')!;
    search.open();
    search.close();
    const focused = search.shadowRoot!.activeElement ?? document.body;
    focused.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, composed: true }));
    return { field: focused.localName, isOpen: search.isOpen };
  });
  expect(again).toEqual({ field: 'input', isOpen: true });
});

test('a hotkey is never taken from a field', async ({ box, page }) => {
  await box.goto(`${element}<input id="text"><input id="email" type="email"><textarea id="area"></textarea>
    <select id="select"><option>one</select><div id="rich" contenteditable><p id="deep">rich</p></div>
    <div id="role" role="textbox" tabindex="0">x</div>`);
  await page.evaluate(() => {
    for (const mode of ['open', 'closed'] as const) {
      const host = document.createElement(`x-${mode}`);
      const field = document.createElement('input');
      host.attachShadow({ mode }).append(field);
      host.id = mode;
      Object.assign(host, { field });
      document.querySelector('main')!.append(host);
    }
  });
  const kept: string[] = [];
  await page.exposeFunction('kept', (what: string) => kept.push(what));
  await page.evaluate(() => {
    const tell = (window as unknown as { kept(what: string): void }).kept;
    window.addEventListener('keydown', (event) => {
      if (event.key === '/' || event.key === 'k') tell(`${event.key} ${event.defaultPrevented}`);
    });
  });
  const places = ['text', 'email', 'area', 'select', 'rich', 'role', 'open', 'closed'];
  for (const id of places) {
    await page
      .locator(`#${id}`)
      .evaluate((target) => ((target as { field?: HTMLElement }).field ?? target).focus());
    for (const key of ['/', 'Control+k', 'Meta+k']) {
      await page.keyboard.press(key);
      await expect(box.dialog, `${key} in ${id}`).toBeHidden();
    }
  }
  await expect(page.locator('#text')).toHaveValue('/');
  await expect(page.locator('#area')).toHaveValue('/');
  expect(kept).toHaveLength(places.length * 3);
  expect(kept.every((what) => what.endsWith('false'))).toBe(true);
});

test('other combinations, repeats, and what the page has handled are left alone', async ({ box, page }) => {
  await box.goto();
  for (const key of ['Control+/', 'Alt+/', 'Control+Shift+k', 'Control+Alt+k', 'k', 'Control+j']) {
    await page.keyboard.press(key);
    await expect(box.dialog, key).toBeHidden();
  }
  await page.evaluate(() => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, repeat: true }));
    window.addEventListener('keydown', (event) => event.preventDefault(), { once: true, capture: true });
  });
  await page.keyboard.press('/');
  await expect(box.dialog).toBeHidden();
});

test('another layout, another script: the character counts, for Ctrl the place where there is no such letter', async ({
  box,
  page,
}) => {
  await box.goto();
  const press = (init: { key: string; code: string; shiftKey?: boolean; ctrlKey?: boolean }) =>
    page.evaluate(
      (init) => document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init })),
      init,
    );
  // On a German keyboard the slash is Shift and 7.
  await press({ key: '/', code: 'Digit7', shiftKey: true });
  await expect(box.dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(box.dialog).toBeHidden();
  await press({ key: 'л', code: 'KeyK', ctrlKey: true });
  await expect(box.dialog).toBeVisible();
});

test('hotkeys are an attribute: other ones, or none', async ({ box, page }) => {
  await box.goto('<shelfmark-search src="/site.shelf" hotkey="s mod+j"></shelfmark-search>');
  await expect(box.button).toContainText('Ctrl J');
  await expect(box.button).toHaveAttribute('aria-keyshortcuts', 'S Control+J');
  await page.keyboard.press('/');
  await expect(box.dialog).toBeHidden();
  await page.keyboard.press('s');
  await expect(box.dialog).toBeVisible();
  await page.keyboard.press('Control+j');
  await expect(box.dialog).toBeHidden();
  await box.element.evaluate((search) => search.setAttribute('hotkey', ''));
  await page.keyboard.press('s');
  await expect(box.dialog).toBeHidden();
  await expect(box.button).not.toHaveAttribute('aria-keyshortcuts');
});

test('of several on one page the first answers a hotkey they share, and one dialog is open at a time', async ({
  box,
  page,
}) => {
  await box.goto(`<shelfmark-search id="one" src="/site.shelf"></shelfmark-search>
    <shelfmark-search id="two" src="/site.shelf" hotkey="/ mod+k mod+j"></shelfmark-search>`);
  const opened = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('shelfmark-search')].filter(({ isOpen }) => isOpen).map(({ id }) => id),
    );
  await page.keyboard.press('/');
  expect(await opened()).toEqual(['one']);
  await page.keyboard.press('Control+j');
  expect(await opened()).toEqual(['one']);
  await page.evaluate(() =>
    document.querySelector<HTMLElementTagNameMap['shelfmark-search']>('#two')!.open(),
  );
  expect(await opened()).toEqual(['one']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+j');
  expect(await opened()).toEqual(['two']);
  await page.keyboard.press('Control+k');
  expect(await opened()).toEqual([]);
});

test('taken out of the page it listens to nothing; put back it works as before', async ({ box, page }) => {
  await page.addInitScript(() => {
    const listeners = new Set<unknown>();
    Object.assign(window, { listeners });
    const { addEventListener } = EventTarget.prototype;
    document.addEventListener = function (type: string, listener: never, options: AddEventListenerOptions) {
      if (type === 'keydown' && options?.signal) {
        listeners.add(listener);
        options.signal.addEventListener('abort', () => listeners.delete(listener));
      }
      return addEventListener.call(this, type, listener, options);
    };
  });
  await box.goto();
  const count = () => page.evaluate(() => (window as unknown as { listeners: Set<unknown> }).listeners.size);
  expect(await count()).toBe(1);
  await box.open();
  await box.ask('deposit');
  const kept = await page.evaluateHandle(() => {
    const search = document.querySelector('shelfmark-search')!;
    search.remove();
    return search;
  });
  expect(await count()).toBe(0);
  await page.keyboard.press('/');
  expect(await kept.evaluate((search) => search.isOpen)).toBe(false);
  for (let round = 0; round < 5; round++) {
    await kept.evaluate((search) => {
      document.body.prepend(search);
      document.body.append(search);
    });
  }
  expect(await count()).toBe(1);
  await page.keyboard.press('/');
  await expect(box.input).toBeFocused();
  await box.ask('sharpening');
  await page.keyboard.press('Escape');
  await expect(box.dialog).toBeHidden();
});
