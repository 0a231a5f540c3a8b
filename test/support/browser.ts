import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
];

function chromiumPath(): string | undefined {
  const given = process.env['CHROMIUM_PATH'];
  return (
    given ||
    ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))
  );
}

/**
 * A headless Chromium, or null where this machine has none: the caller then skips, with a message. In CI it must
 * exist: a missing one is an error.
 */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    if (process.env['CI']) throw new Error('There is no Chromium: install it, or set CHROMIUM_PATH.');
    console.error(
      '\n  NOT TESTED: there is no Chromium, so nothing was played. Install chromium, or set CHROMIUM_PATH.\n',
    );
    return null;
  }
  return chromium.launch({ executablePath, args: switches, headless: true });
}
