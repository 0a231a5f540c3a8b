import { expect } from 'chai';
import { recordMediaSeconds } from '../../shared/license/mediaMinutes.service.js';
import { paymentCheckSeconds } from '../../shared/payment/payment.lifecycle.js';
import { findPayment } from '../../shared/payment/payment.queries.js';
import { createVocabulary } from '../../shared/platform/search/postgres/vocabulary.js';
import { seedBoxItem } from '../support/rows.js';
import { countOf, openCrowded } from '../support/crowd.js';
import { useFixture } from '../support/fixtures.js';
import { flatAnimation } from '../support/images.js';
import { back, payInSandbox } from '../support/payments.js';
import { bodyOf, makeSeller } from '../support/api.js';
import { upload } from '../support/uploads.js';
import { createLoggedInUser, type TestUser } from '../support/users.js';

/** Words that differ only in their last letters. */
function nearWords(count: number): string[] {
  const letterOf = (digit: string) => String.fromCharCode('a'.charCodeAt(0) + Number.parseInt(digit, 26));
  return Array.from({ length: count }, (_, number) => {
    const ending = number.toString(26).padStart(3, '0');
    return `watchedd${[...ending].map(letterOf).join('')}`;
  });
}

describe('One web process under a crowd', function () {
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

  it('rejects 40 simultaneous oversized animations by their headers', async () => {
    const image = await flatAnimation(447, 447, 199);
    const attack = async (number: number) => (await send(image, users[number % 10] as TestUser)).status;
    const statuses = await crowded.withCrowd(attack, 40);
    expect(countOf(statuses, 400)).to.be.above(0);
    expect(countOf(statuses, 400) + countOf(statuses, 429)).to.equal(40);
  });

  it('serves 40 simultaneous animations and their widths, half of them of one user', async () => {
    const image = await flatAnimation(330, 330, 60);
    const ids: string[] = [];
    const attack = async (number: number): Promise<number> => {
      const { status, id } = await send(image, users[number < 20 ? 0 : number % 10] as TestUser);
      if (status === 201) ids.push(id);
      return status;
    };
    const statuses = await crowded.withCrowd(attack, 40);
    expect(countOf(statuses, 201)).to.be.above(8);
    expect(countOf(statuses, 201) + countOf(statuses, 429)).to.equal(40);
    const narrow = async (number: number): Promise<number> =>
      (await fetch(`${crowded.api.url}/asset/thumbnail/${ids[number % 2]}/${number < 20 ? 160 : 320}`)).status;
    expect(countOf(await crowded.withCrowd(narrow, 40), 200)).to.equal(40);
  });

  it('rejects 40 simultaneous uploads of a user far beyond the media minutes', async () => {
    const [user] = users as readonly [TestUser];
    const { ctx, api } = crowded;
    await ctx.db.transaction((tx) => recordMediaSeconds(ctx, tx, user.userId, 2 * 3000 * 60));
    const statuses = await crowded.withCrowd(async () => (await upload(api, user)).status, 40);
    expect(countOf(statuses, 409)).to.be.above(0);
    expect(countOf(statuses, 409) + countOf(statuses, 429)).to.equal(40);
  });

  describe('of plays with a pending payment', () => {
    let viewer: TestUser;
    let vodId: string;
    let trackingId: string;

    before(async () => {
      const { ctx, api, owner } = crowded;
      await makeSeller(ctx, owner.userId);
      viewer = await createLoggedInUser(ctx);
      const { boxId } = await seedBoxItem(ctx, owner.userId, { title: 'Paid video' });
      const conditions = { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' };
      const published = await api.call('POST', `/api/box/${boxId}/vod`, { token: owner.token, body: conditions });
      ({ vodId } = bodyOf(201, published));
      const started = await api.call('POST', `/api/vod/${vodId}/pay`, { token: viewer.token, body: back });
      ({ trackingId } = bodyOf(200, started));
    });

    const play = () =>
      crowded.api.call('POST', `/api/vod/${vodId}/play`, { token: viewer.token, body: { trackingId } });
    const checks = async () => (await findPayment(crowded.ctx, trackingId))?.checks;

    it('queries the provider once in each interval for 120 viewers with two plays each', async () => {
      const began = performance.now();
      const statuses = await crowded.withCrowd(async () => {
        let status = 0;
        for (let plays = 0; plays < 2; plays += 1) {
          const response = await fetch(`${crowded.api.url}/api/vod/${vodId}/play`, {
            method: 'POST',
            headers: { authorization: `Bearer ${viewer.token}` },
            body: JSON.stringify({ trackingId }),
          });
          await response.text();
          ({ status } = response);
        }
        return status;
      }, 120);
      const intervals = Math.ceil((performance.now() - began) / 1000 / paymentCheckSeconds.usual);
      expect(countOf(statuses, 200)).to.equal(120);
      expect(await checks()).to.be.within(1, intervals + 1);
    });

    it('permits the play at once after the payment', async () => {
      await payInSandbox(crowded.ctx, trackingId);
      expect(bodyOf(200, await play()).result).to.equal('PLAY');
    });
  });

  describe('of searches', () => {
    before(async () => {
      const { db } = crowded.ctx;
      await db.transaction((tx) => createVocabulary(db).add(tx, new Set(nearWords(10_000))));
    });

    const search = async (body: object, signal?: AbortSignal): Promise<number> => {
      const { api, token } = crowded;
      const response = await fetch(`${api.url}/api/public/search/vod/contents`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      });
      await response.arrayBuffer();
      return response.status;
    };

    it('serves 80 searches of ten words, each similar to thousands', async () => {
      const words = nearWords(10).map((word) => `${word.slice(0, -1)}z`);
      const attack = (number: number) => search({ queryString: [...words, String(number)].join(' ') });
      const statuses = await crowded.withCrowd(attack, 80);
      expect(countOf(statuses, 200)).to.equal(80);
    });

    it('serves 120 simultaneous searches for one-letter prefixes, for the last page, and for all items', async () => {
      const bodies = [
        { queryString: 'w*' },
        { queryString: 'watched', pageIndex: 1_000_000, pageSize: 100 },
        { pagination: false },
        { tags: Array.from({ length: 50 }, (_, tag) => `tag ${tag}`), queryString: '%_%_%*' },
      ];
      const attack = (number: number) => search(bodies[number % bodies.length] as object);
      const statuses = await crowded.withCrowd(attack, 120);
      expect(countOf(statuses, 200)).to.be.at.least(100);
      expect(countOf(statuses, 200) + countOf(statuses, 429)).to.equal(120);
    });

    it('leaves no query behind after 120 searches whose callers disconnect at once', async () => {
      const words = nearWords(10).join(' ');
      const attack = (number: number) => search({ queryString: words }, AbortSignal.timeout(number));
      await crowded.withCrowd(attack, 120);
      const running = await crowded.ctx.db.rows(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'active' AND query LIKE '%search_typo_keys%' AND pid <> pg_backend_pid()`,
      );
      expect(running).to.deep.equal([]);
    });
  });
});
