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

const usualPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts a headless Chromium: the one of CHROMIUM_PATH, or that of this machine. Null where there is none. */
export async function startChromium(): Promise<Browser | null> {
  const executablePath = process.env['CHROMIUM_PATH'] || usualPaths.find((path) => existsSync(path));
  return executablePath ? chromium.launch({ executablePath, args: switches, headless: true }) : null;
}
