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
 * decides between concurrent requests.
 */

/** Maximum length of a path; `docs/contract.md#choices-live`. */
export const maxPath = 64;
const defaultBase = 'live';
/** Leaves nine characters for a number after the longest stem. */
const maxStem = maxPath - 9;

type NewStream = Pick<LiveStream, 'id' | 'ownerId' | 'kind'>;

/** Creates the stream of a channel, with the channel's id. Throws ConflictError if the path is taken. */
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
 * Creates the stream of a channel with a path derived from its name: its words without accents, joined by hyphens, or `live` if it
 * has no letters or digits. If that is taken, the next number from 2 is appended. Concurrent requests for the same path wait for
 * each other.
 */
export async function claimPathOfName(
  ctx: Context,
  tx: Transaction,
  { name, ...stream }: NewStream & { readonly name: string },
): Promise<void> {
  const words = tokenize(name).filter((word) => /^[a-z0-9]+$/.test(word));
  const stem = withoutTrailing(words.join('-').slice(0, maxStem), '-') || defaultBase;
  for (let isClaimed = false; !isClaimed;) {
    const path = await freePath(ctx, { requested: stem, stem: `${stem}-` }, tx);
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
 * Changes the path of a stream. An encoder that publishes to the old path continues. Throws ConflictError if the path is
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

/** Frees the path of a deleted channel and ends its publication. A job removes its files. */
export async function releaseStream(ctx: Context, tx: Transaction, id: string): Promise<void> {
  await ctx.db.model(LiveStream).update({ path: null }, { where: { id }, transaction: tx });
  await endActiveRun(ctx, tx, id, 'channel deleted');
  await ctx.outbox.add(tx, removeStream, { streamId: id });
}

/**
 * Suggests a free path: the lower-case letters and digits of `base`, or `live` if it has none, with an appended number if that
 * is taken. The path is not reserved: `claimStream` decides.
 */
export async function suggestPath(ctx: Context, base: string | undefined): Promise<string> {
  const letters = (base ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  const requested = letters.slice(0, maxPath) || defaultBase;
  return freePath(ctx, { requested, stem: requested.slice(0, maxStem) });
}

/** The requested path, or, if it is taken, the stem with the number after the highest used one, from 2. */
async function freePath(
  ctx: Context,
  { requested, stem }: { readonly requested: string; readonly stem: string },
  tx?: Transaction,
): Promise<string> {
  const [row] = await ctx.db.rows<{ highest: number }>(
    `SELECT (SELECT coalesce(max(substr(path, length($stem) + 1)::int), 1) FROM live_streams
              WHERE path ~ ('^' || $stem || '[1-9][0-9]{0,7}$')) AS highest
       FROM live_streams WHERE path = $requested`,
    { requested, stem },
    tx,
  );
  return row ? `${stem}${row.highest + 1}` : requested;
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
