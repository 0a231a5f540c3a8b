import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { CastSlate } from './cast.model.js';
import { newPreparedFolder } from './preparation.lifecycle.js';
import { prepareCast } from './preparation.jobs.js';
import { stillFileKey } from './stillFiles.queries.js';

/** Names its layout. */
const digest = 'default-1';
const always = new Date(0);
const never = new Date('9999-12-31T00:00:00Z');

/**
 * Has the default slate made: the slate of channels that have none of their own yet. Does nothing while it is stored or is
 * being made. Where its files are missing from the store, or it has failed, another one takes its place, with another id:
 * the files of an id never change.
 */
export async function wantDefaultSlate(ctx: Context): Promise<void> {
  const known = await ctx.db.model(CastSlate).findOne({ where: { channelId: null, digest } });
  if (known?.state === 'WAITING' || (known && (await isStored(ctx, known)))) return;
  const id = randomUUID();
  await ctx.db.transaction(async (tx) => {
    if (known) await ctx.db.model(CastSlate).destroy({ where: { id: known.id }, transaction: tx });
    const wanted = await ctx.db.rows<{ id: string }>(
      `INSERT INTO cast_slates (id, channel_id, digest, lines, shows_from, state, folder, needed_until, created_at)
       VALUES ($id, NULL, $digest, '[]', $always, 'WAITING', $folder, $never, $now)
       ON CONFLICT (digest) WHERE channel_id IS NULL DO NOTHING RETURNING id`,
      { id, digest, folder: newPreparedFolder(id), always, never, now: ctx.clock.now() },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      prepareCast,
      wanted.map((payload) => ({ payload })),
    );
  });
}

async function isStored(ctx: Context, { folder, renditions }: CastSlate): Promise<boolean> {
  const files = renditions?.flatMap((rendition) => [rendition.map, ...rendition.files]) ?? [];
  for (const file of [files[0], files.at(-1)])
    if (file === undefined || (await ctx.storage.stat(stillFileKey(folder, file))) === null) return false;
  return true;
}
