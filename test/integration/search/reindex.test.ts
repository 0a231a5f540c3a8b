import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { indexes } from '../../../shared/indexes.js';
import { reindex } from '../../../scripts/reindex.js';
import { openTestContext } from '../../support/context.js';
import { seedBoxItem } from '../../support/contents.js';
import { createUser } from '../../support/users.js';
import { findInBox } from './searchFixtures.js';
import { useFixture } from '../../support/fixtures.js';

/** An output stream whose text can be read. */
function output(isTTY: boolean): { stream: NodeJS.WriteStream; text: () => string } {
  const stream = Object.assign(new PassThrough(), {
    isTTY,
    columns: 120,
    cursorTo() {},
    clearLine() {},
    moveCursor() {},
  });
  const chunks: string[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => chunks.join('') };
}

describe('reindex', () => {
  const ctx = useFixture(openTestContext);
  let ownerId: string;
  let boxId: string;

  before(async () => {
    ownerId = await createUser(ctx);
    ({ boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' }));
    await ctx.search.maintenance.drain('postgres');
  });

  it('rebuilds all indexes, and prints plain lines without a terminal', async () => {
    await ctx.db.rows('TRUNCATE search_documents_box');
    const expected: Readonly<Record<string, number>> = { box: 1, user: 1 };
    const { stream, text } = output(false);
    expect(await reindex(ctx, [], stream)).to.equal(0);
    const lines = indexes.map(({ name }) => `postgres ${name}: rebuilt, ${expected[name] ?? 0} documents\n`);
    expect(text()).to.equal(lines.join(''));
    expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
  });

  it('rebuilds the named indexes, with a progress bar on a terminal', async () => {
    await ctx.db.rows('TRUNCATE search_documents_box');
    const { stream, text } = output(true);
    expect(await reindex(ctx, ['box'], stream)).to.equal(0);
    expect(text())
      .to.match(/postgres box.*1\/1.*rebuilt/s)
      .and.not.contain('vod');
    expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
  });

  it('fails for an unknown index name', async () => {
    const { stream, text } = output(false);
    expect(await reindex(ctx, ['box', 'videos'], stream)).to.equal(1);
    expect(text()).to.equal(`There is no index videos. Indexes: ${indexes.map(({ name }) => name).join(', ')}.\n`);
  });
});
