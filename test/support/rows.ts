import { Thumbnail } from '../../shared/content/thumbnail.model.js';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import type { ModelDefinition, RowOf } from '../../shared/platform/database/model.js';
import { randomUUID, createHash } from 'node:crypto';
import { BoxItem } from '../../shared/box/box.model.js';
import { planGrid, type Grid } from '../../shared/media/grid.js';
import { ingestFully } from '../../shared/content/content.jobs.js';
import { Content, type ContentState } from '../../shared/content/content.model.js';
import { Rendition } from '../../shared/content/rendition.model.js';
import { expect } from 'chai';
import { segmentBytesOf } from '../../shared/content/segmentSizes.queries.js';

/** Column values; a list matches any of its values. */
type Having<Definition> = {
  readonly [Name in keyof RowOf<Definition>]?: RowOf<Definition>[Name] | readonly RowOf<Definition>[Name][];
};

/** Columns of any table: the functions below have the types of their table. */
interface AnyRows {
  findAll(options: { where: object }): Promise<unknown[]>;
  update(values: object, options: { where: object; transaction: Transaction | undefined }): Promise<number>;
  destroy(options: { where: object; transaction: Transaction | undefined }): Promise<number>;
}

function rowsOf(ctx: Context, definition: ModelDefinition): AnyRows {
  return ctx.db.model(definition);
}

/** The rows of a table with these values, for state that no operation returns. A removed column does not compile. */
export async function storedRows<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  having: Having<Definition> = {},
): Promise<RowOf<Definition>[]> {
  return (await rowsOf(ctx, definition).findAll({ where: having })) as RowOf<Definition>[];
}

/** Changes rows without an operation. Resolves with their number. */
export function changeRows<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  having: Having<Definition>,
  values: Partial<RowOf<Definition>>,
  transaction?: Transaction,
): Promise<number> {
  return rowsOf(ctx, definition).update(values, { where: having, transaction });
}

/** Changes one row, which must exist. */
export async function changeRow<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  id: string | number,
  values: Partial<RowOf<Definition>>,
  transaction?: Transaction,
): Promise<void> {
  const changed = await changeRows(ctx, definition as ModelDefinition, { id }, values, transaction);
  if (changed !== 1) throw new Error(`${definition.tableName} has no row ${id}`);
}

/** Removes rows without an operation. Resolves with their number. */
export function removeRows<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  having: Having<Definition> = {},
  transaction?: Transaction,
): Promise<number> {
  return rowsOf(ctx, definition).destroy({ where: having, transaction });
}

/** Inserts the row of a thumbnail, without a file. */
export async function makeThumbnail(ctx: Context, ownerId: string, size = { width: 1, height: 1 }): Promise<string> {
  const id = randomUUID();
  const file = { storageKey: `thumbnails/${id}/original`, mimeType: 'image/png', bytes: 10 };
  await ctx.db.model(Thumbnail).create({ id, ownerId, ...file, ...size, createdAt: ctx.clock.now() });
  return id;
}

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

/** Expects rows with the size of each segment and initialisation segment in a generation's folder, and of no other file. */
export async function expectKnownSizes(ctx: Context, folder: string): Promise<void> {
  const [stored, known] = [new Map<string, number>(), new Map<string, number | null>()];
  for await (const { key, bytes } of ctx.storage.list(folder)) {
    const isMedia = key.endsWith('.m4s') || key.endsWith('.mp4');
    if (isMedia) stored.set(key, bytes);
    const sizeByRows = await segmentBytesOf(ctx, key);
    if (isMedia || sizeByRows !== null) known.set(key, sizeByRows);
  }
  expect(stored.size).to.be.above(2);
  expect(known).to.deep.equal(stored);
  for (const key of [`${folder}/c0-a1/240p/99999.m4s`, `${folder}/x/240p/00000.m4s`])
    expect(await segmentBytesOf(ctx, key)).to.equal(null);
}

/** The SHA-256 of the source of a box item. */
export async function storedHash(ctx: Context, boxId: string): Promise<string> {
  const item = await ctx.db.model(BoxItem).findByPk(boxId, { rejectOnEmpty: true });
  const content = await ctx.db.model(Content).findByPk(item.contentId, { rejectOnEmpty: true });
  const hash = createHash('sha256');
  for await (const chunk of await ctx.storage.read(content.sourceKey)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Writes all dirty marks to all engines: changes committed before are then searchable. */
export async function drainSearch(ctx: Context): Promise<void> {
  for (const engine of ctx.search.maintenance.engines) await ctx.search.maintenance.drain(engine);
}
