import { randomBytes, randomUUID } from 'node:crypto';
import { writeGrant } from '../../shared/playback/grant.js';
import { ChunkRecord } from '../../shared/content/chunk.model.js';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder, newFolder, segmentName } from '../../shared/content/storageKeys.js';
import type { Service } from './service.js';

/** Four seconds of the 720p rendition. */
const benchSegmentBytes = Math.round((4 * (2_800_000 + 128_000)) / 8);

/** Stores a segment of 1.46 MB, the only one of its content. Resolves with its key, and a grant that opens it. */
export async function storeBenchSegment({ ctx, user }: Service): Promise<{ key: string; grant: string }> {
  const id = randomUUID();
  const folder = newFolder(id);
  const prefix = `${generationFolder({ id, folder }, 1)}/`;
  const [chunkFolder, name, initKey] = ['c0-a1', '720p', 'init/720p-0011.mp4'];
  const key = `${prefix}${chunkFolder}/${name}/${segmentName(0)}`;
  const now = ctx.clock.now();
  const times = { createdAt: now, updatedAt: now };
  const source = { sourceKey: `sources/${id}/original`, sourceName: 'a.mp4', sourceBytes: 1 };
  const ready = { state: 'READY', generation: 1, readyGeneration: 1, readyAt: now, durationMs: 4_000 } as const;
  await ctx.db.model(Content).create({ id, folder, ownerId: user.id, ...source, ...ready, ...times });
  const result = { renditions: { [name]: { bytes: [benchSegmentBytes], initKey, initBytes: 700, codecs: 'avc1' } } };
  const chunk = { position: 0, state: 'DONE', priority: 0, folder: chunkFolder, updatedAt: now, result } as const;
  await ctx.db.model(ChunkRecord).create({ contentId: id, generation: 1, ...chunk });
  await ctx.storage.put(key, randomBytes(benchSegmentBytes), { contentType: 'video/iso.segment' });
  const grant = writeGrant(ctx.config.playback.keys, {
    ...{ kind: 'full', sessionId: randomUUID(), viewerCode: user.code, publisherCode: user.code, prefix },
    expiresSeconds: Math.floor(ctx.clock.now().getTime() / 1000) + 3600,
  });
  return { key, grant };
}
