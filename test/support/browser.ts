import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startChromium } from '../../tools/chromium.js';
import { useFixture } from './fixtures.js';
import { startLoopbackServer } from './loopbackServer.js';

/** A headless Chromium. Tests that open one are declared with `requirements.chromium`. */
export async function openBrowser(): Promise<Browser> {
  const browser = await startChromium();
  if (!browser) throw new Error('There is no Chromium: install it, or set CHROMIUM_PATH.');
  return browser;
}

/** A browser for the tests of the calling `describe`. A test that leaves an entry in `faults` fails. */
export function browserFixture(): { readonly browser: Browser; readonly faults: string[] } {
  const faults: string[] = [];
  afterEach(() => expect(faults.splice(0)).to.deep.equal([]));
  return { browser: useFixture(openBrowser), faults };
}

/** Serves a page with this body on a separate site while `work` runs with its URL. */
export async function onAnotherSite(body: string, work: (url: string) => Promise<void>): Promise<void> {
  const site = await startLoopbackServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(body);
  });
  try {
    await work(site.url.replace('127.0.0.1', 'localhost'));
  } finally {
    await site.close();
  }
}
