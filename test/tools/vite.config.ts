import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumLaunch } from '../browser-path.ts';

const launch = chromiumLaunch() ?? { args: [] };

export default defineConfig({
  test: {
    testTimeout: 30_000,
    projects: [
      { test: { name: 'node', environment: 'node', include: ['*.node.test.ts'] } },
      {
        server: { fs: { strict: false } },
        test: {
          name: 'chromium',
          include: ['*.chromium.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            // Chromium 156 has the model context behind this flag.
            provider: playwright({
              launchOptions: { ...launch, args: [...(launch.args ?? []), '--enable-features=WebMCPTesting'] },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
