import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { LiveStream, type StreamKind } from '../../../shared/streaming/streaming.model.js';
import { registerUser, integrationHeaders } from '../../support/api.js';
import { serviceFixture, fixtureEach } from '../../support/fixtures.js';
import { makeStream } from '../../support/liveStreams.js';
import { disableUser, createUser, setLivePassword } from '../../support/users.js';
import { changeRow, storedRows, seedBoxItem } from '../../support/rows.js';
import { LiveChannel, LiveEvent } from '../../../shared/live/live.model.js';
import { User } from '../../../shared/user/user.model.js';
import { Content } from '../../../shared/content/content.model.js';

const operations = ['live/channel', 'live/event', 'cast/channel', 'cast/entity'] as const;

/** The body that each operation returns for a stream of each kind; null: 404. */
type Expected = Readonly<Record<(typeof operations)[number], object | null>>;

describe('stream names of the integration', () => {
  const { api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));

  const ask = (operation: string, name: string) =>
    api.call('GET', `/rest/integration/${operation}/${name}`, { headers: integrationHeaders(api) });

  const expectedOf: Readonly<Record<StreamKind, (id: string) => Expected>> = {
    LIVE_CHANNEL: () => ({
      'live/channel': { creatorCode: user.userCode },
      'live/event': { recorded: false },
      'cast/channel': null,
      'cast/entity': null,
    }),
    CAST_CHANNEL: (id) => ({
      'live/channel': null,
      'live/event': null,
      'cast/channel': { channelCode: id, creatorCode: user.userCode },
      'cast/entity': { entityType: 'CHANNEL', creatorCode: user.userCode },
    }),
    CAST_STREAM: () => ({
      'live/channel': null,
      'live/event': null,
      'cast/channel': null,
      'cast/entity': { entityType: 'STREAM', creatorCode: user.userCode },
    }),
  };

  for (const kind of Object.keys(expectedOf) as StreamKind[]) {
    it(`return 200 for kind ${kind} in its operations and 404 in others, and 404 after the owner is disabled`, async () => {
      const { streamId: id, path } = await makeStream(api.ctx, user.userId, kind);
      const expected = expectedOf[kind](id);
      for (const operation of operations) {
        const { status, body } = await ask(operation, path);
        if (expected[operation]) expect([status, body], operation).to.deep.equal([200, expected[operation]]);
        else expect(status, operation).to.equal(404);
      }
      await disableUser(api.ctx, user.userId);
      for (const operation of operations) expect((await ask(operation, path)).status, operation).to.equal(404);
    });
  }

  it('return 404 if unknown, deleted, malformed or in another case', async () => {
    const { streamId: id, path } = await makeStream(api.ctx, user.userId);
    const names = ['unknown', path.toUpperCase(), `${path}%00`, '%2E%2E%2Fx', '%F0%9F%98%80', "'--", 'x'.repeat(2000)];
    for (const operation of operations) {
      for (const name of names) expect((await ask(operation, name)).status, `${operation} ${name}`).to.equal(404);
    }
    await changeRow(api.ctx, LiveStream, id, { path: null });
    expect((await ask('live/channel', path)).status).to.equal(404);
    expect((await ask('live/channel', 'null')).status).to.equal(404);
  });
});

const minutes = 60_000;

describe('GET /rest/<integration>/live/event/{streamName}', () => {
  const { api } = serviceFixture();
  let ownerId: string;
  let channelId: string;
  let path: string;
  beforeEach(async () => {
    const { ctx } = api;
    ownerId = await createUser(ctx);
    ({ streamId: channelId, path } = await makeStream(ctx, ownerId));
    const now = ctx.clock.now();
    const times = { createdAt: now, updatedAt: now };
    await ctx.db
      .model(LiveChannel)
      .create({ id: channelId, ownerId, name: 'Town', description: null, thumbnailId: null, public: true, ...times });
  });

  /** An event that starts and ends so many minutes from now. */
  async function makeEvent(from: number, to: number, recorded: boolean): Promise<void> {
    const { ctx } = api;
    const now = ctx.clock.now();
    const startsAt = new Date(now.getTime() + from * minutes);
    const endsAt = new Date(now.getTime() + to * minutes);
    const described = { name: 'News', description: null, thumbnailId: null, public: true, recorded };
    const terms = { paymentMode: 'FREE', priceCents: null, createdAt: now, updatedAt: now } as const;
    await ctx.db
      .model(LiveEvent)
      .create({ id: randomUUID(), channelId, ownerId, startsAt, endsAt, ...described, ...terms });
  }

  const recorded = async () =>
    (await api.call('GET', `/rest/integration/live/event/${path}`, { headers: integrationHeaders(api) })).body.recorded;

  it('returns true during a recorded event, whatever event follows', async () => {
    await makeEvent(-30, 5, true);
    await makeEvent(5, 60, false);
    expect(await recorded()).to.equal(true);
  });

  it('returns false during an unrecorded event, also shortly before a recorded one', async () => {
    await makeEvent(-30, 5, false);
    await makeEvent(5, 60, true);
    expect(await recorded()).to.equal(false);
  });

  it('considers the next event from ten minutes before its start', async () => {
    expect(await recorded()).to.equal(false);
    await makeEvent(-60, -1, true);
    await makeEvent(12, 60, true);
    expect(await recorded()).to.equal(false);
    await makeEvent(10, 11, true);
    expect(await recorded()).to.equal(true);
  });
});

describe('GET /rest/<integration>/user/{userCode}', () => {
  const { api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));

  const read = (userCode: string) =>
    api.call('GET', `/rest/integration/user/${userCode}`, { headers: integrationHeaders(api) });

  it('200: returns the live password in plain text, stored encrypted, for the user code in any case', async () => {
    await setLivePassword(api.ctx, user.userId, 'grün & 100%');
    expect((await read(user.userCode)).body).to.deep.equal({ livePassword: 'grün & 100%' });
    expect((await read(user.userCode.toUpperCase())).body).to.deep.equal({ livePassword: 'grün & 100%' });
    const [row] = await storedRows(api.ctx, User, { id: user.userId });
    expect(row?.livePassword).to.match(/^v1\./).and.not.include('100%');
  });

  it('200: omits a missing live password, and prevents caching', async () => {
    const response = await read(user.userCode);
    expect(response.body).to.deep.equal({});
    expect(response.headers.get('cache-control')).to.equal('no-store');
  });

  it('returns 404 for unknown and disabled users, and malformed names', async () => {
    await disableUser(api.ctx, user.userId);
    for (const name of [user.userCode, 'nobody', '%00', 'a%2Fb', 'x'.repeat(2000), '%F0%9F%98%80', "'--"])
      expect((await read(name)).status, name.slice(0, 40)).to.equal(404);
  });
});

describe('GET /rest/<integration>/vod', () => {
  const { api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));
  let contentId: string;
  let boxId: string;
  beforeEach(async () => {
    ({ contentId, boxId } = await seedBoxItem(api.ctx, user.userId));
  });

  const ask = (streamName: string) =>
    api.call('GET', `/rest/integration/vod?streamName=${encodeURIComponent(streamName)}`, {
      headers: integrationHeaders(api),
    });

  it('200: returns the owner by the file of a play, the folder, the UUID and the content id', async () => {
    const play = await api.call('POST', `/api/box/${boxId}/play`, { token: user.token, body: {} });
    expect(play.body.file).to.match(/^content\//);
    for (const name of [
      play.body.file,
      `content/${contentId}/g1/480p/index.m3u8`,
      `content/${contentId}`,
      contentId,
      contentId.toUpperCase(),
      `urn:video:content:${contentId}`,
    ]) {
      const { status, body } = await ask(name);
      expect([status, body], name).to.deep.equal([200, { creatorCode: user.userCode }]);
    }
  });

  it('returns 404 for unknown and deleted contents, malformed names, and contents of a disabled user', async () => {
    const folder = `${contentId}-${'0a'.repeat(16)}`;
    await changeRow(api.ctx, Content, contentId, { folder });
    expect((await ask(`content/${folder}/g1/master.m3u8`)).status, 'the random part of its folder').to.equal(200);
    for (const name of [
      ...[
        randomUUID(),
        `content/${randomUUID()}/g1/master.m3u8`,
        `content/${contentId}-${'0b'.repeat(16)}/g1/master.m3u8`,
      ],
      ...[`urn:other:content:${contentId}`, `live/${contentId}/master.m3u8`, `../content/${contentId}`],
      ...[`${contentId}x`, 'master.m3u8', '%', 'é'],
    ])
      expect((await ask(name)).status, name).to.equal(404);
    await disableUser(api.ctx, user.userId);
    expect((await ask(contentId)).status).to.equal(404);
    const other = await registerUser(api);
    const deleted = await seedBoxItem(api.ctx, other.userId);
    await changeRow(api.ctx, Content, deleted.contentId, { state: 'DELETED' });
    expect((await ask(deleted.contentId)).status).to.equal(404);
  });
});
