import type { Browser } from 'playwright-core';
import { startChromium } from '../../scripts/bench/chromium.js';

/**
 * A headless Chromium, or null where this machine has none: the caller then skips, with a message. In CI it must
 * exist: a missing one is an error.
 */
export async function openBrowser(): Promise<Browser | null> {
  const browser = await startChromium();
  if (browser) return browser;
  if (process.env['CI']) throw new Error('There is no Chromium: install it, or set CHROMIUM_PATH.');
  console.error(
    '\n  NOT TESTED: there is no Chromium, so nothing was played. Install chromium, or set CHROMIUM_PATH.\n',
  );
  return null;
}
