import { expect } from 'chai';
import { recordMediaSeconds } from '../../shared/license/mediaMinutes.service.js';
import { countOf, openCrowded } from '../support/crowd.js';
import { flatAnimation } from '../support/images.js';
import { upload } from '../support/uploads.js';
import { createLoggedInUser, type TestUser } from '../support/users.js';
import { useFixture } from '../support/fixtures.js';

describe('A crowd with images and uploads at one web process', function () {
  this.timeout(60_000);
  const crowded = useFixture(openCrowded);
  let users: readonly TestUser[];

  before(async () => {
    users = await Promise.all(Array.from({ length: 10 }, () => createLoggedInUser(crowded.ctx)));
  });

  async function send(image: Buffer, { token }: TestUser): Promise<{ status: number; id: string }> {
    const form = new FormData();
    form.append('thumbnail', new Blob([image]), 'image.gif');
    const { status, body } = await crowded.api.call('POST', '/api/thumbnail', { token, body: form });
    return { status, id: body.thumbnailId };
  }

  it('40 animations at once that are too large: rejected by their headers', async () => {
    const image = await flatAnimation(447, 447, 199);
    const attack = async (number: number) => (await send(image, users[number % 10] as TestUser)).status;
    const { statuses } = await crowded.withCrowd(attack, 40);
    expect(countOf(statuses, 400)).to.be.above(0);
    expect(countOf(statuses, 400) + countOf(statuses, 429)).to.equal(40);
  });

  it('40 animations at once, half of them of one user, and their widths', async () => {
    const image = await flatAnimation(330, 330, 60);
    const ids: string[] = [];
    const attack = async (number: number): Promise<number> => {
      const { status, id } = await send(image, users[number < 20 ? 0 : number % 10] as TestUser);
      if (status === 201) ids.push(id);
      return status;
    };
    const { statuses } = await crowded.withCrowd(attack, 40);
    expect(countOf(statuses, 201)).to.be.above(8);
    expect(countOf(statuses, 201) + countOf(statuses, 429)).to.equal(40);
    const narrow = async (number: number): Promise<number> =>
      (await fetch(`${crowded.api.url}/asset/thumbnail/${ids[number % 2]}/${number < 20 ? 160 : 320}`)).status;
    expect(countOf((await crowded.withCrowd(narrow, 40)).statuses, 200)).to.equal(40);
  });

  it('40 uploads at once of a user far beyond the media minutes: rejected', async () => {
    const [user] = users as readonly [TestUser];
    const { ctx, api } = crowded;
    await ctx.db.transaction((tx) => recordMediaSeconds(ctx, tx, user.userId, 2 * 3000 * 60));
    const { statuses } = await crowded.withCrowd(async () => (await upload(api, user)).status, 40);
    expect(countOf(statuses, 409)).to.be.above(0);
    expect(countOf(statuses, 409) + countOf(statuses, 429)).to.equal(40);
  });
});
