import { randomBytes, randomUUID } from 'node:crypto';
import { writeGrant } from '../../shared/playback/grant.js';
import type { Service } from './service.js';

/** Four seconds of the 720p rendition. */
const segmentBytes = Math.round((4 * (2_800_000 + 128_000)) / 8);

/** Stores a segment of 1.46 MB. Resolves with its storage key, and a full grant that opens it. */
export async function storeBenchSegment({ ctx, user }: Service): Promise<{ key: string; grant: string }> {
  const prefix = `content/${randomUUID()}/g1/`;
  const key = `${prefix}720p/s0.m4s`;
  await ctx.storage.put(key, randomBytes(segmentBytes), { contentType: 'video/iso.segment' });
  const grant = writeGrant(ctx.config.playback.keys, {
    ...{ kind: 'full', sessionId: randomUUID(), viewerCode: user.code, publisherCode: user.code, prefix },
    expiresSeconds: Math.floor(ctx.clock.now().getTime() / 1000) + 3600,
  });
  return { key, grant };
}
