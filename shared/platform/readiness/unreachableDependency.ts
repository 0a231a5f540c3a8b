import type { DependencyName } from './readiness.js';
import { isDatabaseUnreachable } from '../database/databaseErrors.js';
import { outageOf } from '../outage.js';
import { QueueServerError } from '../queue/index.js';

/** Messages of the Redis and PostgreSQL clients for a lost connection, whose errors have no code. */
const lostConnection =
  /Connection (is closed|terminated|ended)|Command timed out|isn't writeable|queue server is down|no response within|timeout exceeded when trying to connect|Reached the max retries|LOADING|READONLY/;
/** SQLSTATE classes of an unreachable server: connection, resources, operator intervention. */
const unreachableStates = /^(08|53|57P)/;

interface Described {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly command?: unknown;
  readonly cause?: unknown;
  readonly $metadata?: unknown;
}

/** The dependency that is unreachable according to an error. Null: the error means no outage, or the server is not a dependency. */
export function unreachableDependency(error: unknown): DependencyName | null {
  const chain = [...causesOf(error)];
  if (chain.length === 0) return null;
  const queue = chain.find((one): one is QueueServerError => one instanceof QueueServerError);
  if (queue) return chain.some(isConnectionLost) ? queue.server : null;
  if (chain.some(isDatabaseUnreachable)) return 'database';
  if (outageOf(error) !== 'server unreachable') return null;
  return chain.map(serverOf).find((one) => one !== null) ?? null;
}

/** Identifies the server by error members that only its client sets. */
function serverOf({ name, command, $metadata }: Described): DependencyName | null {
  if ($metadata !== undefined) return 'storage';
  if (/^meilisearch/i.test(String(name))) return 'search';
  // The SMTP command that failed.
  return typeof command === 'string' ? 'mail' : null;
}

function isConnectionLost(error: Described): boolean {
  return (
    outageOf(error) !== null || unreachableStates.test(String(error.code)) || lostConnection.test(String(error.message))
  );
}

function* causesOf(error: unknown): Generator<Described> {
  const seen = new Set<unknown>();
  for (let one = error; typeof one === 'object' && one !== null && !seen.has(one); one = (one as Described).cause) {
    seen.add(one);
    yield one;
  }
}
