import { randomUUID } from 'node:crypto';
import { BoxItem } from '../../shared/box/box.model.js';
import { planGrid, type Grid } from '../../shared/media/grid.js';
import { ingestFully } from '../../shared/content/content.jobs.js';
import { Content, type ContentState } from '../../shared/content/content.model.js';
import { Rendition } from '../../shared/content/rendition.model.js';
import type { Context } from '../../shared/platform/context.js';
import { changeRow } from './rows.js';

export interface SeededItem {
  readonly boxId: string;
  readonly contentId: string;
  /** Storage folder of the content's files, with a trailing slash. */
  readonly folder: string;
}

export interface SeedOptions {
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly state?: ContentState;
  /** The reason, for the state FAILED. */
  readonly failureKey?: string;
  readonly durationMs?: number;
  readonly expiresAt?: Date;
}

/** A box item whose content is READY without transcoding: only rows. */
export async function seedBoxItem(ctx: Context, ownerId: string, options: SeedOptions = {}): Promise<SeededItem> {
  const { title = 'A video', description, tags = [], state = 'READY', durationMs = 60_000, expiresAt } = options;
  const { failureKey = null } = options;
  const now = ctx.clock.now();
  const times = { createdAt: now, updatedAt: now };
  const [boxId, contentId] = [randomUUID(), randomUUID()];
  const source = { sourceKey: `sources/${randomUUID()}/original`, sourceName: 'video.mp4', sourceBytes: 1000 };
  const made =
    state === 'READY'
      ? {
          ...{ durationMs, generation: 1, readyGeneration: 1, readyAt: now, hasVideo: true, hasAudio: true },
          readyGrid: planGrid({ frameRate: [25, 1], frameCount: Math.ceil(durationMs / 40), chunkSeconds: 24 }),
        }
      : {};
  await ctx.db.transaction(async (transaction) => {
    await ctx.db
      .model(Content)
      .create(
        { id: contentId, folder: contentId, ownerId, state, failureKey, ...source, ...made, ...times },
        { transaction },
      );
    await ctx.db.model(BoxItem).create(
      {
        id: boxId,
        ownerId,
        contentId,
        source: 'UPLOAD',
        title,
        description: description ?? null,
        tags: [...tags],
        expiresAt: expiresAt ?? null,
        ...times,
      },
      { transaction },
    );
    await ctx.search.markDirty(transaction, 'content', contentId);
    await ctx.search.markDirty(transaction, 'box', boxId);
  });
  return { boxId, contentId, folder: `content/${contentId}/g1/` };
}

/**
 * Gives a READY content a playing quick generation of 640 by 360, and a full generation with one of two chunks done, which
 * is 52 percent.
 */
export async function seedPreparing(ctx: Context, contentId: string): Promise<void> {
  const now = ctx.clock.now();
  await changeRow(ctx, Content, contentId, { readyGrid: null, generation: 2 });
  const size = { width: 640, height: 360, videoBits: 700_000, audioBits: 128_000 };
  await ctx.db.model(Rendition).create({ contentId, generation: 1, name: '360p', position: 0, ...size });
  await ctx.db.change(
    `INSERT INTO chunks (content_id, generation, position, state, priority, updated_at)
     VALUES ($contentId, 2, 0, 'DONE', 1, $now), ($contentId, 2, 1, 'PENDING', 2, $now)`,
    { contentId, now },
  );
}

/** Sets the full generation that `seedPreparing` has started to ready. */
export async function seedPrepared(ctx: Context, contentId: string): Promise<void> {
  await changeRow(ctx, Content, contentId, { readyGeneration: 2, readyGrid: {} as Grid });
}

/** Sets the full generation that `seedPreparing` has started to failed. */
export async function seedUnprepared(ctx: Context, contentId: string): Promise<void> {
  await changeRow(ctx, Content, contentId, { failedGeneration: 2, failureKey: 'content.failure.unreadable' });
}

/** Files of a stream that are unplayable but served like any others. Resolves with their bytes by path. */
export async function seedStream(ctx: Context, folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>([
    ['master.m3u8', Buffer.from('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n240p/index.m3u8\n')],
    [
      '240p/index.m3u8',
      Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4,\ns0.m4s\n#EXT-X-ENDLIST\n'),
    ],
    ['240p/init.mp4', Buffer.alloc(700, 'i')],
    ['240p/s0.m4s', Buffer.alloc(200_000, 'abcdefghij')],
    ['preview/master.m3u8', Buffer.from('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n240p/index.m3u8\n')],
    ['preview/240p/s0.m4s', Buffer.alloc(50_000, 'klmnopqrst')],
  ]);
  for (const [path, bytes] of files)
    await ctx.storage.put(folder + path, bytes, { contentType: 'application/octet-stream' });
  return files;
}

/** Starts the next generation of a READY content with all renditions, as after a quick one. */
export async function beginGeneration(ctx: Context, contentId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await ctx.db.change(
      'UPDATE contents SET generation = generation + 1, plan = NULL WHERE id = $contentId',
      { contentId },
      tx,
    );
    await ctx.outbox.add(tx, ingestFully, { contentId });
  });
}
