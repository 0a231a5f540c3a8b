import { expect } from 'chai';
import {
  mediaMinutesAllowance,
  maxWaitingChunks,
  mediaAllowanceOf,
  recordMediaSeconds,
} from '../../../shared/license/mediaMinutes.service.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { registerUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { rawUpload, upload } from '../../support/uploads.js';
import { serviceFixture } from '../../support/service.js';
import { fixtureEach } from '../../support/fixtures.js';
import { Quota } from '../../../shared/license/license.model.js';
import { Content } from '../../../shared/content/content.model.js';
import { changeRows } from '../../support/rows.js';

const freeMinutes = 3000;

describe('the media minutes of a month', () => {
  const { ctx, api } = serviceFixture({}, { limits: [[maxWaitingChunks, 3]] });
  const user = fixtureEach(() => registerUser(api));

  const processed = (minutes: number) =>
    ctx.db.transaction((tx) => recordMediaSeconds(ctx, tx, user.userId, minutes * 60));
  const usage = async () => (await api.call('GET', '/api/user/me/overview', { token: user.token })).body.usage;

  const contentIds = async (ownerId: string): Promise<string[]> => {
    const rows = await ctx.db.rows<{ id: string }>('SELECT id FROM contents WHERE owner_id = $ownerId', { ownerId });
    return rows.map(({ id }) => id);
  };

  it('are counted by calendar month, and shown in the overview', async () => {
    expect(await usage()).to.include({ mediaMinutes: 0, mediaMinutesLimit: freeMinutes });
    await Promise.all([processed(10), processed(20), processed(0.5)]);
    expect(await usage()).to.include({ mediaMinutes: 30 });
    ctx.clock.advance(32 * 86_400_000);
    expect(await usageOf(ctx, user.userId)).to.include({ mediaSeconds: 0 });
    await processed(7);
    expect(await usageOf(ctx, user.userId)).to.include({ mediaSeconds: 7 * 60 });
  });

  it('are limited by the plan, except by a limit of 0', async () => {
    await processed(freeMinutes - 1);
    expect(await mediaAllowanceOf(ctx, user.userId)).to.equal('WITHIN');
    await processed(1);
    expect(await mediaAllowanceOf(ctx, user.userId)).to.equal('BEYOND');
    await processed(freeMinutes);
    expect(await mediaAllowanceOf(ctx, user.userId)).to.equal('REFUSED');
    await changeRows(ctx, Quota, { userId: user.userId }, { planId: 2 });
    expect(await mediaAllowanceOf(ctx, user.userId)).to.equal('WITHIN');
    expect(mediaMinutesAllowance({ mediaSeconds: 1e9, mediaMinutesLimit: 0 })).to.equal('WITHIN');
    expect(mediaMinutesAllowance({ mediaSeconds: 120, mediaMinutesLimit: 1 })).to.equal('REFUSED');
  });

  it('permit an upload beyond the allowance, and reject it far beyond before the body, in the caller’s language', async () => {
    await processed(2 * freeMinutes - 1);
    expect((await upload(api, user)).status).to.equal(201);
    expect((await usageOf(ctx, user.userId)).mediaSeconds, 'with the upload').to.equal((2 * freeMinutes - 1) * 60 + 10);
    await processed(1);
    const headers = {
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': 1e6,
      'Accept-Language': 'it',
    };
    const refused = await rawUpload(api, user, headers, () => {});
    expect(refused?.status).to.equal(409);
    expect(refused?.body).to.include({
      exception: 'MediaMinutesQuotaExceededException',
      message:
        'La tua licenza comprende 3000 minuti di elaborazione al mese e ne sono usati 6000. Potrai caricare di nuovo il mese prossimo o con una licenza più grande.',
    });
  });

  it('return 409 while too many contents of the user wait for processing', async () => {
    for (let count = 0; count < 3; count += 1) expect((await upload(api, user)).status).to.equal(201);
    const { status, body } = await upload(api, user);
    expect([status, body.exception]).to.deep.equal([409, 'WaitingWorkQuotaExceededException']);
    expect((await upload(api, await registerUser(api))).status, "another user's upload").to.equal(201);
    await changeRows(ctx, Content, { ownerId: user.userId }, { state: 'FAILED', failedGeneration: 1 });
    expect((await upload(api, user)).status).to.equal(201);
  });

  it('let the first contents of other users be ingested before a user’s further contents', async () => {
    const other = await registerUser(api);
    for (const owner of [user, user, other]) await upload(api, owner);
    const queue = ctx.queues.all().find(({ name }) => name === 'ingestion');
    const ids = await Promise.all([user, other].map(({ userId }) => contentIds(userId)));
    await eventually(async () => {
      const jobs = (await queue?.getJobs(['prioritized'])) ?? [];
      const priorities = ids.map((own) =>
        jobs.flatMap(({ data, opts }) => (own.includes(data.contentId) ? [opts.priority] : [])),
      );
      expect(priorities[0]).to.have.members([1, 2]);
      expect(priorities[1]).to.deep.equal([1]);
    });
  });
});
