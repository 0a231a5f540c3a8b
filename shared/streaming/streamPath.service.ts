import type { Config } from '../platform/config.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import { ConflictError } from '../platform/errors.js';
import { withoutTrailing } from '../platform/formats/trailing.js';
import { tokenize } from '../platform/search/index.js';
import { endActiveRun } from './liveRun.lifecycle.js';
import { removeStream } from './streaming.jobs.js';
import { LiveStream } from './streaming.model.js';

/*
 * Paths that encoders publish to. Live channels, cast channels and cast streams share one namespace, whose unique index
 * decides between requests at the same time.
 */

/** The longest path; `docs/contract.md#choices-live`. */
export const maxPath = 64;
const defaultBase = 'live';
/** Nine characters are kept free, so that a number fits behind the longest base. */
const maxStem = maxPath - 9;

type NewStream = Pick<LiveStream, 'id' | 'ownerId' | 'kind'>;

/** Creates the stream of a channel, with the id of the channel. Throws ConflictError where the path is taken. */
export async function claimStream(
  ctx: Context,
  tx: Transaction,
  stream: NewStream & { readonly path: string },
): Promise<void> {
  await unlessTaken(stream.path, () =>
    ctx.db.model(LiveStream).create({ ...stream, createdAt: ctx.clock.now() }, { transaction: tx }),
  );
}

/**
 * Creates the stream of a channel whose path is made from its name: its words without accents, joined by hyphens, or `live` where
 * it has no letters or digits. Where that is taken, the next number from 2 on follows. Of requests at the same time, each
 * waits for the one that takes the same path.
 */
export async function claimPathOfName(
  ctx: Context,
  tx: Transaction,
  { name, ...stream }: NewStream & { readonly name: string },
): Promise<void> {
  const words = tokenize(name).filter((word) => /^[a-z0-9]+$/.test(word));
  const stem = withoutTrailing(words.join('-').slice(0, maxStem), '-') || defaultBase;
  for (let isClaimed = false; !isClaimed;) {
    const path = await freePath(ctx, { wanted: stem, stem: `${stem}-` }, tx);
    const bind = { ...stream, path, createdAt: ctx.clock.now() };
    const count = await ctx.db.change(
      `INSERT INTO live_streams (id, owner_id, kind, path, created_at)
       VALUES ($id, $ownerId, $kind, $path, $createdAt) ON CONFLICT (path) DO NOTHING`,
      bind,
      tx,
    );
    isClaimed = count === 1;
  }
}

/**
 * Changes the path of a stream. An encoder that publishes to the old path goes on. Throws ConflictError where the path is
 * taken.
 */
export async function renamePath(
  ctx: Context,
  tx: Transaction,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<void> {
  await unlessTaken(path, () =>
    ctx.db.change(
      'UPDATE live_streams SET path = $path WHERE id = $id AND path IS DISTINCT FROM $path',
      { id, path },
      tx,
    ),
  );
}

/** Frees the path of a deleted channel and ends what is published to it. A job removes its files. */
export async function releaseStream(ctx: Context, tx: Transaction, id: string): Promise<void> {
  await ctx.db.model(LiveStream).update({ path: null }, { where: { id }, transaction: tx });
  await endActiveRun(ctx, tx, id, 'channel deleted');
  await ctx.outbox.add(tx, removeStream, { streamId: id });
}

/**
 * A free path of lower-case letters and digits: those of `base`, or `live` where it has none, with a number behind it
 * where that is taken. Nothing is reserved: `claimStream` decides.
 */
export async function suggestPath(ctx: Context, base: string | undefined): Promise<string> {
  const letters = (base ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  const wanted = letters.slice(0, maxPath) || defaultBase;
  return freePath(ctx, { wanted, stem: wanted.slice(0, maxStem) });
}

/** The wanted path; where it is taken, the stem with the number after the highest one that follows it, from 2 on. */
async function freePath(
  ctx: Context,
  { wanted, stem }: { readonly wanted: string; readonly stem: string },
  tx?: Transaction,
): Promise<string> {
  const [row] = await ctx.db.rows<{ highest: number }>(
    `SELECT (SELECT coalesce(max(substr(path, length($stem) + 1)::int), 1) FROM live_streams
              WHERE path ~ ('^' || $stem || '[1-9][0-9]{0,7}$')) AS highest
       FROM live_streams WHERE path = $wanted`,
    { wanted, stem },
    tx,
  );
  return row ? `${stem}${row.highest + 1}` : wanted;
}

/** The server address for encoders, without the path: `LIVE_BASE_URL`, or the embedded RTMP server. */
export function streamingBaseUrl({ live, service }: Config): string {
  return live.baseUrl ?? `rtmp://${new URL(service.publicUrl).hostname}:${live.rtmp.port}/live`;
}

async function unlessTaken(streamPath: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (violatedUniqueIndex(error) === 'live_streams_path')
      throw new ConflictError({ key: 'streaming.pathTaken', values: { streamPath }, cause: error });
    throw error;
  }
}
