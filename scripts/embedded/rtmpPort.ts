import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, tryPort } from './freePort.js';
import { StartupError } from './startupError.js';

const usualPort = 1935;

/**
 * The port of the RTMP server: `given` (`RTMP_PORT`), else the one of the previous start, else 1935, else a free one. It is kept
 * in the data folder, so that the addresses in encoders stay valid.
 *
 * @throws StartupError if the given port cannot be opened.
 */
export async function chooseRtmpPort(options: {
  readonly dataDir: string;
  readonly host: string;
  readonly given: number | null;
  readonly say: (line: string) => void;
}): Promise<number> {
  const { dataDir, host, given, say } = options;
  if (given !== null) return openFixture(given, host);
  const path = join(dataDir, 'rtmp.json');
  const wanted = readPort(path) ?? usualPort;
  const port = (await firstFree([wanted, usualPort], host)) ?? (await freePort(host));
  if (port !== wanted) say(`Port ${wanted} is taken: encoders publish to port ${port}.`);
  writeFileSync(path, JSON.stringify({ port }), { mode: 0o600 });
  return port;
}

async function openFixture(port: number, host: string): Promise<number> {
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
