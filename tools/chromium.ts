import { chromium, type Browser } from 'playwright-core';
import { onPath } from '../scripts/embedded/mediaTools.js';

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

const usualNames = ['chromium', 'chromium-browser', 'google-chrome'];

/** CHROMIUM_PATH, or the Chromium on the PATH. Undefined: there is none. */
export function chromiumPath(): string | undefined {
  return process.env['CHROMIUM_PATH'] || usualNames.map((name) => onPath(name)).find((path) => path !== undefined);
}

/** Starts a headless Chromium. Null if there is none. */
export async function startChromium(): Promise<Browser | null> {
  const executablePath = chromiumPath();
  return executablePath ? chromium.launch({ executablePath, args: switches, headless: true }) : null;
}
