import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVideoClient, type VideoClient } from '../../client/index.js';
import type { Config } from '../../shared/platform/config.js';

/** The progress of the demo, stored in `DATA_DIR/demo.json`: a demo that was interrupted continues at the next start. */
export interface Demo {
  userCode: string;
  password: string;
  vodId: string;
}

/** The stored state; before the first demo, a new one with a new password. */
export function readDemo({ dataDir }: Config): Demo {
  const path = pathIn(dataDir);
  const stored = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Demo>) : {};
  return { userCode: 'demo', password: randomBytes(12).toString('base64url'), vodId: '', ...stored };
}

export function keepDemo({ dataDir }: Config, demo: Demo): void {
  const path = pathIn(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(demo)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/** A client of the service on this machine: its public URL may not be reachable from here. */
export function localClient({ http, service, oauth: { clients } }: Config): VideoClient {
  const host = ['0.0.0.0', '::'].includes(http.host) ? '127.0.0.1' : http.host;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${http.port}${service.basePath}`;
  return createVideoClient({ baseUrl: address, clientId: clients[0].id, clientSecret: clients[0].secret });
}
