import { randomUUID } from 'node:crypto';
import { CastSlate } from '../../../shared/cast/cast.model.js';
import { newPreparedFolder, preparedFolder } from '../../../shared/cast/preparation.lifecycle.js';
import type { Context } from '../../../shared/platform/context.js';

/** Segments of a slate: those of the loop, and one of each shorter length. */
const fileCount = 18;

/** The default slate as READY, with unplayable files, for tests without a worker. Idempotent. */
export async function seedDefaultSlate(ctx: Context): Promise<CastSlate> {
  const model = ctx.db.model(CastSlate);
  const present = await model.findOne({ where: { channelId: null, state: 'READY' } });
  if (present) return present;
  const id = randomUUID();
  const folder = newPreparedFolder(id);
  const files = Array.from({ length: fileCount }, (_, index) => `${String(index).padStart(2, '0')}.m4s`);
  for (const file of ['init.mp4', ...files])
    await ctx.storage.put(`${preparedFolder({ folder })}/${file}`, Buffer.from(file), { contentType: 'video/mp4' });
  await model.destroy({ where: { channelId: null } });
  return model.create({
    ...{ id, channelId: null, digest: 'default-1', lines: [], thumbnailId: null, state: 'READY', folder },
    ...{ showsFrom: new Date(0), showsUntil: null, neededUntil: new Date('9999-12-31T00:00:00Z') },
    ...{ renditions: [{ name: '720p', map: 'init.mp4', files }], createdAt: ctx.clock.now() },
  });
}
