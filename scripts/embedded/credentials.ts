import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from './startupError.js';

const secret = (): string => randomBytes(18).toString('base64url');

/** Settings that a deployment must set and that `npm start` generates once. */
const generators = {
  OAUTH_CLIENT_ID: () => 'web',
  OAUTH_CLIENT_SECRET: secret,
  INTEGRATION_USER: () => 'integration',
  INTEGRATION_PASSWORD: secret,
  OPERATOR_USER: () => 'operator',
  OPERATOR_PASSWORD: secret,
  PLAYBACK_KEYS: () => `k1:${randomBytes(24).toString('hex')}`,
  ENCRYPTION_KEY: () => randomBytes(32).toString('hex'),
} as const;

type Name = keyof typeof generators;
type Credentials = Record<Exclude<Name, ClientName>, string> & Partial<Record<ClientName, string>>;
type ClientName = 'OAUTH_CLIENT_ID' | 'OAUTH_CLIENT_SECRET';

/** New values of all generated settings, for a deployment. */
export function generatedSettings(): Record<Name, string> {
  const values = Object.entries(generators).map(([name, generate]) => [name, generate()]);
  return Object.fromEntries(values) as Record<Name, string>;
}

/**
 * Each value from the environment, otherwise from `DATA_DIR/credentials.json`, otherwise generated and stored there.
 *
 * @throws StartupError if the file is corrupt.
 */
export function loadCredentials(dataDir: string, env: NodeJS.ProcessEnv): Credentials {
  const path = join(dataDir, 'credentials.json');
  const stored = read(path);
  const names = (Object.keys(generators) as Name[]).filter(
    // A list of clients replaces the single one.
    (name) => !env['OAUTH_CLIENTS'] || env['OAUTH_CLIENT_ID'] || !name.startsWith('OAUTH_CLIENT_'),
  );
  const missing = names.filter((name) => !isSet(name, env) && !stored[name]);
  if (missing.length > 0) {
    for (const name of missing) stored[name] = generators[name]();
    // The file is renamed when it is complete.
    writeFileSync(`${path}.new`, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return Object.fromEntries(names.map((name) => [name, isSet(name, env) ? env[name] : stored[name]])) as Credentials;
}

/** A client secret may be empty: a public web client has none (docs/contract.md#choices-requests). */
function isSet(name: Name, env: NodeJS.ProcessEnv): boolean {
  return name === 'OAUTH_CLIENT_SECRET' ? env[name] !== undefined : Boolean(env[name]);
}

function read(path: string): Partial<Credentials> {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Credentials>;
  } catch {
    throw new StartupError(`${path} is corrupt: repair it, or delete it to generate new credentials.`);
  }
}
