import { randomUUID } from 'node:crypto';
import { planGrid } from '../../shared/media/grid.js';
import { createContent } from '../../shared/content/content.lifecycle.js';
import type { ChunkPayload } from '../../shared/content/content.jobs.js';
import { planContent } from '../../shared/content/generation.lifecycle.js';
import { claimIngestion } from '../../shared/content/ingestion.lifecycle.js';
import { planLadder } from '../../shared/content/ladder.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import type { Context } from '../../shared/platform/context.js';
import { makeUser } from './users.js';

/** The plan of 8 s of video in two chunks. */
function planOf(sourceKey: string): ContentPlan {
  const grid = planGrid({ frameRate: [25, 1], frameCount: 200, chunkSeconds: 4 });
  const renditions = planLadder({ width: 160, height: 90, codec: 'h264', bits: null, framesPerSecond: 25 });
  const source = { key: sourceKey, demuxer: 'mov', stream: 0, seekable: true, originSeconds: 0 };
  return {
    ...grid,
    durationMs: 8000,
    renditions,
    source: { ...source, still: false, interlaced: false, highDynamicRange: null },
    audio: [
      {
        name: 'audio-0',
        language: 'und',
        label: 'Original',
        channels: 2,
        key: 'none',
        packetCount: 375,
        offsets: [0, 1, 2],
      },
    ],
  };
}

/** The first of two chunks of a content with a plan and without files. */
export async function plannedChunk(ctx: Context): Promise<ChunkPayload> {
  const { id: ownerId } = await makeUser(ctx);
  const id = randomUUID();
  const source = { sourceKey: `sources/${id}/original`, sourceName: 'clip.mp4', sourceBytes: 1000 };
  await ctx.db.transaction((tx) => createContent(ctx, tx, { id, ownerId, ...source }));
  const claim = await claimIngestion(ctx, id, 'ingestion');
  if (claim.outcome !== 'claimed') throw new Error('ingestion could not be claimed');
  const media = {
    plan: planOf(source.sourceKey),
    width: 160,
    height: 90,
    hasVideo: true,
    hasAudio: true,
    audioTracks: [],
    missingEndSeconds: 0,
    chapters: null,
  };
  const thumbnail = { id: randomUUID(), sizeBytes: 1 };
  await ctx.db.transaction((tx) =>
    planContent(ctx, tx, claim.work, 'ingestion', { ...media, thumbnail, isBehindOthers: false, quick: false }),
  );
  return { contentId: id, generation: 1, chunk: 0 };
}
