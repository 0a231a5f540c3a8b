import type { Browser } from 'playwright-core';
import { startChromium } from '../../tools/chromium.js';

/** A headless Chromium. Tests that open one are declared with `requirements.chromium`. */
export async function openBrowser(): Promise<Browser> {
  const browser = await startChromium();
  if (!browser) throw new Error('There is no Chromium: install it, or set CHROMIUM_PATH.');
  return browser;
}
