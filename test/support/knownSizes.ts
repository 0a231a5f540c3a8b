import { expect } from 'chai';
import { segmentBytesOf } from '../../shared/content/segmentSizes.queries.js';
import type { Context } from '../../shared/platform/context.js';

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
