import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, tryPort } from './freePort.js';
import { StartupError } from './startupError.js';

const usualPort = 1935;

/**
 * The port of the RTMP server: `configured` (`RTMP_PORT`), otherwise the port of the previous start, otherwise 1935, otherwise a
 * free port. It is stored in the data folder, so that the addresses in encoders stay valid.
 *
 * @throws StartupError if the configured port cannot be opened.
 */
export async function chooseRtmpPort(options: {
  readonly dataDir: string;
  readonly host: string;
  readonly configured: number | null;
  readonly say: (line: string) => void;
}): Promise<number> {
  const { dataDir, host, configured, say } = options;
  if (configured !== null) return openConfigured(configured, host);
  const path = join(dataDir, 'rtmp.json');
  const preferred = readPort(path) ?? usualPort;
  const port = (await firstFree([preferred, usualPort], host)) ?? (await freePort(host));
  if (port !== preferred) say(`Port ${preferred} is in use: encoders publish to port ${port}.`);
  writeFileSync(path, JSON.stringify({ port }), { mode: 0o600 });
  return port;
}

async function openConfigured(port: number, host: string): Promise<number> {
  const fault = await tryPort(port, host);
  if (fault === null) return port;
  throw new StartupError(
    `Port ${port} of ${host} cannot be opened for encoders (${fault}): set RTMP_PORT or RTMP_HOST.`,
  );
}

async function firstFree(ports: readonly number[], host: string): Promise<number | undefined> {
  for (const port of ports) {
    if ((await tryPort(port, host)) === null) return port;
  }
  return undefined;
}

function readPort(path: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { port: number }).port;
  } catch {
    return undefined;
  }
}
