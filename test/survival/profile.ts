import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, test as base, chromium, expect, type Page } from '@playwright/test';
import { chromiumLaunch } from '../browser-path.mjs';
import type {} from './page.ts';

/** A profile on disk and the browser that has it open, as a person's own. */
export class Profile {
  readonly folder: string;
  readonly origin: string;
  /** Uncaught errors and rejections of its pages; the test fails for them. */
  readonly faults: string[] = [];
  #context: BrowserContext | undefined;

  constructor(folder: string, origin: string) {
    this.folder = folder;
    this.origin = origin;
  }

  async context(): Promise<BrowserContext> {
    this.#context ??= await chromium.launchPersistentContext(this.folder, chromiumLaunch() ?? {});
    return this.#context;
  }

  /** A new page with the library in it; `prepare` gets the page before anything runs there. */
  async page(prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
    const context = await this.context();
    // The browser comes with an empty page, which the first to ask gets.
    const blank = context.pages().find((page) => page.url() === 'about:blank');
    const page = blank ?? (await context.newPage());
    page.on('pageerror', (error) => this.faults.push(`uncaught: ${error.message}`));
    await prepare?.(page);
    await this.goto(page);
    return page;
  }

  /** Loads the page anew. */
  async goto(page: Page): Promise<void> {
    await page.goto(this.origin);
    await page.waitForFunction(() => window.tools !== undefined);
  }

  /**
   * A function that ends the browser as a crash or the system does: with all its processes, and at once, since
   * they have been looked up before.
   */
  async killer(): Promise<() => Promise<void>> {
    const context = await this.context();
    const closed = new Promise((resolve) => context.once('close', resolve));
    const pid = this.#pid();
    return async () => {
      process.kill(-pid, 'SIGKILL');
      await closed;
      this.#context = undefined;
    };
  }

  async close(): Promise<void> {
    await this.#context?.close();
    this.#context = undefined;
  }

  /** The browser leads a process group of its own, so that its pid is the group's. */
  #pid(): number {
    const list = execFileSync('ps', ['-axwwo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    const own = list.split('\n').filter((line) => {
      const [, parent] = line.trim().split(/\s+/);
      return (
        Number(parent) === process.pid &&
        line.includes(`--user-data-dir=${this.folder}`) &&
        !line.includes('--type=')
      );
    });
    expect(own, 'one browser has the profile open').toHaveLength(1);
    return Number(own[0]!.trim().split(/\s+/)[0]);
  }
}

/** Makes profiles and takes them away. */
class Profiles {
  readonly #origin: string;
  readonly #made = new Set<Profile>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  async make(): Promise<Profile> {
    const profile = new Profile(await mkdtemp(join(tmpdir(), 'shelfmark-')), this.#origin);
    this.#made.add(profile);
    return profile;
  }

  async remove(profile: Profile): Promise<void> {
    this.#made.delete(profile);
    await profile.close();
    // A browser that was killed may still be taking its files with it.
    await rm(profile.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    expect(profile.faults).toEqual([]);
  }

  async removeAll(): Promise<void> {
    for (const profile of this.#made) await this.remove(profile);
  }
}

export const test = base.extend<{ profiles: Profiles; profile: Profile }>({
  profiles: async ({ baseURL }, use) => {
    const profiles = new Profiles(`${baseURL}/`);
    await use(profiles);
    await profiles.removeAll();
  },
  profile: async ({ profiles }, use) => use(await profiles.make()),
});

export { expect };
