import type { Context } from '../../shared/platform/context.js';
import { isTableMissing } from '../../shared/platform/database/databaseErrors.js';
import { schemaHead } from '../../shared/platform/database/schemaHead.js';

export interface Readiness {
  readonly status: 'ready' | 'not ready';
  readonly database: 'ok' | 'away' | 'not migrated';
  readonly queue: 'ok' | 'degraded';
  readonly search: 'ok' | 'degraded';
  readonly storage: 'ok' | 'degraded';
  /** Who takes the money; nobody is asked whether they are there. */
  readonly payments: 'sandbox' | 'paypal' | 'stripe';
}

type Part = 'ok' | 'degraded';
type OtherParts = Pick<Readiness, 'queue' | 'search' | 'storage'>;

const patienceMs = 1_500;
/** How long what was found of queue, search and storage is believed: anybody may ask, and asking costs them work. */
const believedMs = 5_000;

const asked = new WeakMap<Context, () => Promise<OtherParts>>();

/** The database alone decides; without the other parts the service works on, and says so. */
export async function readinessOf(ctx: Context): Promise<Readiness> {
  const others = asked.get(ctx) ?? remembered(() => otherParts(ctx));
  asked.set(ctx, others);
  const [database, parts] = await Promise.all([databaseState(ctx), others()]);
  const payments = ctx.config.payments.provider;
  return { status: database === 'ok' ? 'ready' : 'not ready', database, ...parts, payments };
}

async function databaseState(ctx: Context): Promise<Readiness['database']> {
  // A release that is newer has migrated further, and its migrations only expand.
  const applied = ctx.db
    .rows('SELECT 1 FROM migrations WHERE name = $schemaHead', { schemaHead })
    .catch((error: unknown) => {
      if (isTableMissing(error)) return [];
      throw error;
    });
  const rows = await inTime(applied, null);
  if (rows === null) return 'away';
  return rows.length === 1 ? 'ok' : 'not migrated';
}

async function otherParts(ctx: Context): Promise<OtherParts> {
  const [queue, search, storage] = await Promise.all([
    works(async () => ctx.queues.check()),
    works(async () => {
      const { ok } = await ctx.search.health();
      if (!ok) throw new Error('the search engine is away');
    }),
    works(async () => ctx.storage.check()),
  ]);
  return { queue, search, storage };
}

function works(check: () => Promise<unknown>): Promise<Part> {
  return inTime<Part>(
    check().then(() => 'ok'),
    'degraded',
  );
}

/** What `work` resolves with, or `otherwise` where it rejects or takes too long. */
async function inTime<Value>(work: Promise<Value>, otherwise: NoInfer<Value> | null): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<unknown>((resolve) => {
    timer = setTimeout(resolve, patienceMs, otherwise);
  });
  try {
    return (await Promise.race([work.catch(() => otherwise), late])) as Value;
  } finally {
    clearTimeout(timer);
  }
}

/** One question at a time, however many ask, and its answer for a while. */
function remembered<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let response: { at: number; value: Promise<Value> } | undefined;
  return () => {
    const now = performance.now();
    if (!response || now - response.at > believedMs) response = { at: now, value: ask() };
    return response.value;
  };
}
