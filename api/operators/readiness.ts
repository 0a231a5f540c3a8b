import type { ProviderName } from '../../shared/payment/payment.settings.js';
import type { Context } from '../../shared/platform/context.js';
import { isMigrated } from '../../shared/platform/database/schemaState.js';
import { withTimeout } from '../../shared/platform/withTimeout.js';

export interface Readiness {
  /** `stopping`: the process has got the signal to end, and still serves what has been requested. */
  readonly status: 'ready' | 'not ready' | 'stopping';
  readonly database: 'ok' | 'away' | 'not migrated';
  readonly queue: 'ok' | 'degraded';
  readonly search: 'ok' | 'degraded';
  readonly storage: 'ok' | 'degraded';
  /** The payment provider in use; `none` where nothing can be sold. It is not checked. */
  readonly payments: ProviderName;
}

export type Dependencies = Pick<Readiness, 'queue' | 'search' | 'storage'>;

const checkTimeoutMs = 1_500;
/**
 * How long a result of `checkDependencies` is used again: `/readyz` is open to everybody, and each check costs work.
 */
const cachedMs = 5_000;

const stopping = new WeakSet<Context>();

/** From now on `/readyz` responds 503 `stopping`, so that load balancers send no further requests to this process. */
export function reportStopping(ctx: Context): void {
  stopping.add(ctx);
}

/** The database alone decides whether the service is ready. It works without the other parts, and reports them. */
export async function readinessOf(ctx: Context, checkedDependencies: () => Promise<Dependencies>): Promise<Readiness> {
  const [database, dependencies] = await Promise.all([databaseState(ctx), checkedDependencies()]);
  const payments = ctx.config.payments.provider;
  const status = stopping.has(ctx) ? 'stopping' : database === 'ok' ? 'ready' : 'not ready';
  return { status, database, ...dependencies, payments };
}

async function databaseState(ctx: Context): Promise<Readiness['database']> {
  return withTimeout(isMigrated(ctx.db), checkTimeoutMs).then(
    (migrated) => (migrated ? 'ok' : 'not migrated'),
    () => 'away',
  );
}

/** Checks queue, search and storage: one check at a time, whose result is used again for a few seconds. */
export function createDependencyCheck(ctx: Context): () => Promise<Dependencies> {
  let last: { readonly startedMs: number; readonly result: Promise<Dependencies> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (!last || nowMs - last.startedMs > cachedMs) last = { startedMs: nowMs, result: checkDependencies(ctx) };
    return last.result;
  };
}

async function checkDependencies(ctx: Context): Promise<Dependencies> {
  const [queue, search, storage] = await Promise.all([
    stateOf(async () => ctx.queues.check()),
    stateOf(async () => {
      const { ok } = await ctx.search.health();
      if (!ok) throw new Error('search engine unavailable');
    }),
    stateOf(async () => ctx.storage.check()),
  ]);
  return { queue, search, storage };
}

function stateOf(check: () => Promise<unknown>): Promise<'ok' | 'degraded'> {
  return withTimeout(check(), checkTimeoutMs).then(
    () => 'ok',
    () => 'degraded',
  );
}
