import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { addProgram } from '../../support/cast/programRows.js';
import { bodyOf } from '../../support/responses.js';
import { castItem, castKinds, channelKind, studioOfFile } from './castItems.js';
import { useFixture } from '../../support/fixtures.js';

const castStudio = studioOfFile();

for (const kind of castKinds) {
  describe(`GET ${kind.path}/{${kind.idMember}}`, () => {
    const studio = useFixture(castStudio);

    it('returns 200 to its owner, with the id in upper or lower case', async () => {
      const id = await castItem(studio, kind, { name: 'Alps' });
      const body = bodyOf(200, await studio.get(`${kind.path}/${id.toUpperCase()}`));
      expect(body).to.include({ [kind.idMember]: id, name: 'Alps' });
    });

    it('returns 404 for another user, an unknown and a malformed id, and an id of the other kind', async () => {
      const other = castKinds.find((one) => one !== kind) ?? kind;
      bodyOf(404, await studio.get(`${kind.path}/${await castItem(studio, kind)}`, studio.viewer.token));
      for (const id of [randomUUID(), '1', await castItem(studio, other), await studio.channel()])
        bodyOf(404, await studio.get(`${kind.path}/${id}`));
    });
  });
}

describe('GET /api/public/cast/channel/{channelId}', () => {
  const studio = useFixture(castStudio);

  const everybody = (channelId: string, token = studio.anybody) =>
    studio.get(`/api/public/cast/channel/${channelId}`, token);

  it('returns 200 with the publisher and without the path, for public and user tokens', async () => {
    const channelId = await castItem(studio, channelKind, { name: 'Alps', description: 'Snow', tags: ['a'] });
    const publisher = { userCode: studio.publisher.userCode, licenseExpired: false };
    const embedUrl = `${studio.ctx.config.service.publicUrl}/embed/?cast=${channelId}`;
    const shown = { channelId, embedUrl, name: 'Alps', description: 'Snow', tags: ['a'], locked: false, publisher };
    expect(bodyOf(200, await everybody(channelId))).to.deep.equal(shown);
    expect(bodyOf(200, await everybody(channelId, studio.viewer.token))).to.deep.equal(shown);
    expect(bodyOf(200, await everybody(channelId.toUpperCase()))).to.deep.equal(shown);
  });

  it('returns 404 after its publisher is disabled', async () => {
    const publisher = await studio.newPublisher();
    const channelId = await castItem(studio, channelKind, {}, publisher);
    bodyOf(200, await everybody(channelId));
    bodyOf(204, await studio.post('/api/user/me/disable', {}, publisher.token));
    bodyOf(404, await everybody(channelId));
  });

  it('returns 404 for an unknown id, a malformed id and the id of a live channel', async () => {
    for (const id of [randomUUID(), '1', await studio.channel()]) bodyOf(404, await everybody(id));
  });
});

describe('`locked` of a cast channel', () => {
  const studio = useFixture(castStudio);

  /** A channel with a break from `start` to `end` seconds after now, decided `decidedSeconds` ahead. */
  const lockedWith = async (
    times: readonly [start: number, end: number] | null,
    decidedSeconds?: number,
  ): Promise<boolean> => {
    const channelId = await castItem(studio, channelKind);
    if (times) {
      const [start, end] = times;
      const channel = { channelId, owner: studio.publisher };
      await addProgram(studio.ctx, channel, [start / 60, end / 60], { type: 'BREAK' });
    }
    if (decidedSeconds !== undefined) {
      const decidedUntil = (studio.ctx.clock.now().getTime() + decidedSeconds * 1000) * 1000;
      await studio.ctx.db.change('INSERT INTO cast_playouts VALUES ($channelId, $decidedUntil::bigint)', {
        channelId,
        decidedUntil,
      });
    }
    const [own, shown] = await Promise.all([
      studio.get(`/api/cast/channel/${channelId}`),
      studio.get(`/api/public/cast/channel/${channelId}`, studio.anybody),
    ]);
    expect(bodyOf(200, shown).locked).to.equal(bodyOf(200, own).locked);
    return own.body.locked;
  };

  it('is true from CAST_FREEZE_SECONDS before a program’s start until its end', async () => {
    const freeze = studio.ctx.config.cast.freezeSeconds;
    expect(await lockedWith(null)).to.equal(false);
    expect(await lockedWith([freeze + 60, freeze + 120])).to.equal(false);
    expect(await lockedWith([freeze - 10, freeze + 60])).to.equal(true);
    expect(await lockedWith([-60, 60])).to.equal(true);
    expect(await lockedWith([-60, -1])).to.equal(false);
  });

  it('is true for a later program that is already decided', async () => {
    const freeze = studio.ctx.config.cast.freezeSeconds;
    expect(await lockedWith([freeze + 60, freeze + 120], freeze + 61)).to.equal(true);
    expect(await lockedWith([freeze + 60, freeze + 120], freeze + 59)).to.equal(false);
  });
});
