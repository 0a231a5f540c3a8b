import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { CastChannel, CastProgram, CastSlate } from '../../../shared/cast/cast.model.js';
import { createCastChannel, deleteCastChannel } from '../../../shared/cast/castChannel.service.js';
import { readySlates, requestDefaultSlate, requestSlates } from '../../../shared/cast/slate.service.js';
import { slateFileIndex, slateLengthsSeconds } from '../../../shared/cast/playout/index.js';
import { slateFilesOf } from '../../../shared/cast/cutAndSlateFiles.queries.js';
import { addProgram, prepareAll } from '../../support/cast/playoutFixture.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { packetsOf, readStored, storedKeys } from '../../support/media.js';
import { makeThumbnail } from '../../support/rows.js';
import { makeUser } from '../../support/users.js';
import {
  newPreparedFolder,
  preparedFolder,
  claimNext,
  completePreparation,
} from '../../../shared/cast/preparation.lifecycle.js';
import type { Context } from '../../../shared/platform/context.js';
import type { ProcessContext } from '../../../shared/platform/processContext.js';

describe('the slates of a cast channel', function () {
  this.timeout(30_000);
  let ctx: TestContext;
  let ownerId: string;

  before(async () => {
    ctx = await openTestContext();
    ownerId = (await makeUser(ctx)).id;
  });
  after(() => ctx.close());

  async function makeChannel(name = 'Harbour'): Promise<string> {
    const path = `path-${randomUUID().slice(0, 12)}`;
    const { id } = await createCastChannel(ctx, ownerId, { name, streamPath: path, tags: [] });
    await ctx.db.model(CastChannel).update({ timeZone: '0' }, { where: { id } });
    return id;
  }

  const inMinutes = (minutes: number): Date => new Date(ctx.clock.now().getTime() + minutes * 60_000);

  const add = (channelId: string, from: number, until: number, title: string) =>
    addProgram(ctx, { channelId, owner: { userId: ownerId } }, [from, until], { type: 'LIVE', title });

  const slatesOf = (channelId: string): Promise<CastSlate[]> =>
    ctx.db.model(CastSlate).findAll({ where: { channelId }, order: [['createdAt', 'ASC']] });
  const titles = (slates: readonly CastSlate[]): (string | undefined)[] => slates.map(({ lines }) => lines[2]);
  /** The lines of the slate that the playout chooses at a time. */
  async function shownAt(channelId: string, time: Date): Promise<readonly string[] | undefined> {
    const slates = await readySlates(ctx, channelId);
    return slates.find(({ showsFrom, showsUntil }) => showsFrom <= time && (!showsUntil || time < showsUntil))?.lines;
  }

  it('include a default slate with a loop, shorter segments and audio, under one initialisation segment', async () => {
    expect(await readySlates(ctx, randomUUID())).to.be.empty;
    await requestDefaultSlate(ctx);
    // The response to the last statement is lost: the files that the row names must be kept.
    const change: typeof ctx.db.change = async (sql, ...others) => {
      const changed = await ctx.db.change(sql, ...others);
      if (sql.includes("state = 'READY'")) throw new Error('connection lost');
      return changed;
    };
    const lost = await prepareAll({ ...ctx, db: { ...ctx.db, change } }).catch((error: Error) => error.message);
    expect(lost).to.equal('connection lost');
    const [slate] = await readySlates(ctx, randomUUID());
    if (!slate) throw new Error('no default slate');
    const [rendition] = (await slateFilesOf(ctx, slate.id)) ?? [];
    expect(slate.renditions?.[0]?.files).to.have.length(18);
    const lengths = [...Array<number>(15).fill(4), ...slateLengthsSeconds.slice(1)];
    let frames = 0;
    for (const [index, seconds] of lengths.entries()) {
      const position = seconds === 4 ? index : 0;
      const file = rendition?.fileOf(slateFileIndex(seconds, position));
      const segment = await readStored(ctx, file?.key ?? '');
      if (index > 0 && index < 14) continue;
      const media = Buffer.concat([await readStored(ctx, file?.map ?? ''), segment]);
      expect(await packetsOf(media, 'v'), `segment ${index}`).to.have.length(seconds * 4);
      expect((await packetsOf(media, 'a')).length).to.be.closeTo((seconds * 48_000) / 1024, 1);
      frames += seconds * 4;
    }
    expect(frames).to.equal(46);
    const bytes = (await Promise.all((await storedKeys(ctx, 'cast')).map((key) => readStored(ctx, key)))).reduce(
      (sum, { length }) => sum + length,
      0,
    );
    expect(bytes, 'size of the still images').to.be.lessThan(1_500_000);
  });

  it('include a default slate that is recreated with another id if its files are missing', async () => {
    const { id, folder } = await seedDefaultSlate(ctx);
    await requestDefaultSlate(ctx);
    expect(await readySlates(ctx, randomUUID())).to.have.length(1);
    await ctx.storage.removeAll(`cast/${folder}`);
    await Promise.all([requestDefaultSlate(ctx), requestDefaultSlate(ctx)]);
    const rows = await ctx.db.model(CastSlate).findAll({ where: { channelId: null } });
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ state: 'WAITING' });
    expect(rows[0]?.id).to.not.equal(id);
    await ctx.db.model(CastSlate).destroy({ where: { channelId: null } });
    await seedDefaultSlate(ctx);
  });

  it('show the name, and the next program before it starts, and are never created twice', async () => {
    const channelId = await makeChannel();
    await add(channelId, 5, 10, 'First');
    await add(channelId, 10, 12, 'Second');
    await Promise.all(Array.from({ length: 5 }, () => requestSlates(ctx, channelId)));
    expect(await slatesOf(channelId)).to.have.length(3);
    expect(await shownAt(channelId, inMinutes(1)), 'before they are created').to.deep.equal([]);
    await pretendSlates(ctx);
    const made = await slatesOf(channelId);
    await requestSlates(ctx, channelId);
    expect(await pretendSlates(ctx)).to.equal(0);
    expect((await slatesOf(channelId)).map(({ id }) => id)).to.have.members(made.map(({ id }) => id));
    expect((await shownAt(channelId, inMinutes(1)))?.[2]).to.equal('First');
    expect((await shownAt(channelId, inMinutes(6)))?.[2]).to.equal('Second');
    expect(await shownAt(channelId, inMinutes(11))).to.deep.equal(['Harbour']);
  });

  it('are not shown while outdated, and show a changed name as soon as the new slate is stored', async () => {
    const channelId = await makeChannel();
    const programId = await add(channelId, 5, 10, 'First');
    await requestSlates(ctx, channelId);
    await pretendSlates(ctx);
    await ctx.db.model(CastProgram).update({ title: 'Changed' }, { where: { id: programId } });
    await requestSlates(ctx, channelId);
    expect(await shownAt(channelId, inMinutes(1))).to.deep.equal(['Harbour']);
    await ctx.db.model(CastChannel).update({ name: 'Port' }, { where: { id: channelId } });
    await requestSlates(ctx, channelId);
    expect(await shownAt(channelId, inMinutes(1)), 'the new one is not stored yet').to.deep.equal(['Harbour']);
    await pretendSlates(ctx);
    await requestSlates(ctx, channelId);
    expect((await shownAt(channelId, inMinutes(1)))?.slice(0, 1)).to.deep.equal(['Port']);
    expect((await shownAt(channelId, inMinutes(1)))?.[2]).to.equal('Changed');
    expect(await shownAt(channelId, inMinutes(7))).to.deep.equal(['Port']);
    // The first name again: its slate is already stored.
    await ctx.db.model(CastChannel).update({ name: 'Harbour' }, { where: { id: channelId } });
    await ctx.db.model(CastProgram).update({ title: 'First' }, { where: { id: programId } });
    await requestSlates(ctx, channelId);
    expect(await pretendSlates(ctx)).to.equal(0);
    expect((await shownAt(channelId, inMinutes(1)))?.[2]).to.equal('First');
    expect(await shownAt(channelId, inMinutes(7))).to.deep.equal(['Harbour']);
    expect(titles(await slatesOf(channelId))).to.have.length(5);
  });

  it('are created without a missing thumbnail, and do not block a thumbnail’s deletion', async () => {
    const channelId = await makeChannel();
    const thumbnailId = await makeThumbnail(ctx, ownerId);
    await ctx.db.model(CastChannel).update({ thumbnailId }, { where: { id: channelId } });
    await requestSlates(ctx, channelId);
    await prepareAll(ctx);
    const [slate] = await slatesOf(channelId);
    expect(slate).to.include({ state: 'READY', thumbnailId: null });
  });

  it('are removed with their channel', async () => {
    const channelId = await makeChannel();
    await requestSlates(ctx, channelId);
    await deleteCastChannel(ctx, { channelId, ownerId });
    const [slate] = await slatesOf(channelId);
    expect(slate?.neededUntil).to.be.at.most(new Date(ctx.clock.now().getTime() + 45 * 60_000));
    await ctx.db.change('DELETE FROM cast_slates WHERE channel_id = $channelId', { channelId });
    await requestSlates(ctx, channelId);
    expect(await slatesOf(channelId)).to.deep.equal([]);
  });
});

/** Segments of a slate: those of the loop, and one of each shorter length. */
const fileCount = 18;

/** The default slate as READY, with unplayable files, for tests without a worker. Idempotent. */
async function seedDefaultSlate(ctx: Context): Promise<CastSlate> {
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

/** Sets all waiting slates to READY without files, for tests that do not read them. Resolves with their number. */
async function pretendSlates(ctx: ProcessContext): Promise<number> {
  const rendition = { name: '720p', map: 'init.mp4', files: [] };
  for (let made = 0; ; made += 1) {
    const claimed = await claimNext(ctx, 'slate', randomUUID());
    if (!claimed) return made;
    await completePreparation(ctx, claimed, { renditions: [rendition] });
  }
}
