import { expect } from 'chai';
import { encryptText } from '../../../shared/platform/security/encryption.js';
import {
  authenticatePublisher,
  authorizePublish,
  limitRefusals,
} from '../../../shared/streaming/publishing.service.js';
import { User } from '../../../shared/user/user.model.js';
import { makeStream, makeRun, makePublisher } from '../../support/liveStreams.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { makeUser, createUser } from '../../support/users.js';
import { useUpStreaming } from '../../support/licenses.js';
import { randomUUID } from 'node:crypto';
import { LiveStream, LiveRun } from '../../../shared/streaming/streaming.model.js';
import {
  claimStream,
  releaseStream,
  renamePath,
  streamingBaseUrl,
} from '../../../shared/streaming/streamPath.service.js';
import { rejection } from '../../support/eventually.js';
import { openRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { renewRun } from '../../support/liveRun.js';
import { openTestContext } from '../../support/context.js';
import { loginFailuresPerUser } from '../../../shared/oauth/loginAttempts.js';
import {
  refusedPublicationsPerAddress,
  refusedPublicationsPerUser,
} from '../../../shared/streaming/publishAttempts.js';

describe('permission to publish', () => {
  const { ctx } = serviceFixture();

  async function userWith(columns: { livePassword?: string | null; state?: User['state'] } = {}) {
    const user = await makeUser(ctx);
    const { livePassword = 'sécret + 1', state = 'ACTIVE' } = columns;
    const stored = livePassword === null ? null : encryptText(ctx.config.encryptionKey, user.id, livePassword);
    await ctx.db.model(User).update({ livePassword: stored, state }, { where: { id: user.id } });
    return { userCode: user.userCode, stream: await makeStream(ctx, user.id) };
  }

  const reasonOf = async (request: Parameters<typeof authorizePublish>[1]): Promise<string | null> => {
    const verdict = await authorizePublish(ctx, request);
    return verdict.allowed ? null : verdict.reason;
  };

  it('is given to the owner with the live password, in any case of the user code', async () => {
    const { userCode, stream } = await userWith();
    const verdict = await authorizePublish(ctx, {
      streamPath: stream.path,
      userCode: userCode.toUpperCase(),
      livePassword: 'sécret + 1',
    });
    expect(verdict).to.deep.equal({
      allowed: true,
      stream: { id: stream.streamId, ownerId: stream.ownerId, path: stream.path },
    });
  });

  it('is given to an encoder that answers a challenge with the live password', async () => {
    const { userCode, stream } = await userWith();
    const with_ = (expected: string) => ({
      streamPath: stream.path,
      userCode,
      livePassword: (password: string) => password === expected,
    });
    expect(await reasonOf(with_('sécret + 1'))).to.equal(null);
    expect(await reasonOf(with_('other'))).to.equal('wrong live password');
    expect(await authenticatePublisher(ctx, with_('sécret + 1'))).to.include({ allowed: true });
  });

  it('is denied to everybody else', async () => {
    const { userCode, stream } = await userWith();
    const other = await userWith();
    const disabled = await userWith({ state: 'DISABLED' });
    const without = await userWith({ livePassword: null });
    const right = { userCode, livePassword: 'sécret + 1', streamPath: stream.path };
    const refused: readonly (readonly [Partial<typeof right>, string])[] = [
      [{ userCode: 'nobody.at.all' }, 'unknown user'],
      [{ userCode: '' }, 'unknown user'],
      [{ userCode: disabled.userCode, streamPath: disabled.stream.path }, 'user disabled or not activated'],
      [{ userCode: without.userCode, streamPath: without.stream.path }, 'user has no live password'],
      [{ userCode: without.userCode, streamPath: without.stream.path, livePassword: '' }, 'user has no live password'],
      [{ livePassword: '' }, 'wrong live password'],
      [{ livePassword: 'sécret 1' }, 'wrong live password'],
      [{ livePassword: 'SÉCRET + 1' }, 'wrong live password'],
      [{ streamPath: 'no-such-path' }, 'unknown stream path'],
      [{ streamPath: stream.path.toUpperCase() }, 'unknown stream path'],
      [{ streamPath: other.stream.path }, 'stream of another user'],
    ];
    for (const [part, reason] of refused)
      expect(await reasonOf({ ...right, ...part }), JSON.stringify(part)).to.equal(reason);
  });

  it('is denied without streaming hours left', async () => {
    const { userCode, stream } = await userWith();
    const request = { userCode, livePassword: 'sécret + 1', streamPath: stream.path };
    await useUpStreaming(ctx, stream.ownerId);
    expect(await reasonOf(request)).to.equal('streaming hours used up');
  });
});

describe('a stream path', () => {
  const { ctx } = serviceFixture();

  const claim = (ownerId: string, path: string): Promise<void> =>
    ctx.db.transaction((tx) => claimStream(ctx, tx, { id: randomUUID(), ownerId, kind: 'LIVE_CHANNEL', path }));

  it('belongs to one stream, also after fifty concurrent claims', async () => {
    const ownerId = await createUser(ctx);
    const path = `claimed${randomUUID().slice(0, 8)}`;
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => claim(ownerId, path)));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).to.include({ key: 'streaming.pathTaken' });
    expect(await ctx.db.model(LiveStream).count({ where: { path } })).to.equal(1);
  });

  it('is renamed, unless the new path is in use', async () => {
    const stream = await makeStream(ctx);
    const other = await makeStream(ctx);
    const rename = (path: string): Promise<void> =>
      ctx.db.transaction((tx) => renamePath(ctx, tx, { id: stream.streamId, path }));
    expect(await rejection(rename(other.path))).to.include({ key: 'streaming.pathTaken' });
    await rename(stream.path);
    await rename(`${stream.path}-2`);
    const row = await ctx.db.model(LiveStream).findByPk(stream.streamId);
    expect(row?.path).to.equal(`${stream.path}-2`);
  });

  it('is free at once after its release, which ends its publication', async () => {
    const stream = await makeStream(ctx);
    const { runId } = await makeRun(ctx, stream);
    await ctx.db.transaction((tx) => releaseStream(ctx, tx, stream.streamId));
    await claim(stream.ownerId, stream.path);
    expect(await ctx.db.model(LiveRun).findByPk(runId)).to.include({ state: 'ENDED', endReason: 'channel deleted' });
  });

  it('is part of the encoder address with the service’s host, or with LIVE_BASE_URL', () => {
    const { live, service } = ctx.config;
    const config = { ...ctx.config, service: { ...service, publicUrl: 'https://video.example/platform' } };
    expect(streamingBaseUrl({ ...config, live: { ...live, baseUrl: null } })).to.equal(
      `rtmp://video.example:${live.rtmp.port}/live`,
    );
    expect(streamingBaseUrl({ ...config, live: { ...live, baseUrl: 'rtmps://in.example/x' } })).to.equal(
      'rtmps://in.example/x',
    );
  });
});

const perAddress = 20;
const perUser = 30;
const limits = [
  [refusedPublicationsPerAddress, perAddress],
  [refusedPublicationsPerUser, perUser],
  [loginFailuresPerUser, 5],
] as const;

describe('rejected publications', () => {
  const ctx = useFixture(() => openTestContext({}, { limits }));

  async function isAllowed(userCode: string, remoteAddress: string, allowed: boolean): Promise<boolean> {
    return (await limitRefusals(ctx, { userCode, remoteAddress }, () => Promise.resolve({ allowed }))).allowed;
  }

  async function refuse(count: number, attempt: (index: number) => readonly [userCode: string, address: string]) {
    for (let index = 0; index < count; index += 1) await isAllowed(...attempt(index), false);
  }

  async function publisherFrom(clientAddress: string): Promise<string> {
    const { streamId, ownerId, userCode } = await makePublisher(ctx);
    const leaseOwner = randomUUID();
    const { runId } = await openRun(ctx, { streamId, ownerId, source: 'RTMP', leaseOwner, clientAddress });
    await renewRun(ctx, { runId, leaseOwner, lastMediaAt: ctx.clock.now(), receivedBytes: 1 });
    return userCode;
  }

  it('of other users lock a user out only if there are many, and never a user who has published from the address', async () => {
    const known = await publisherFrom('2001:db8:1:2::1');
    const address = '2001:db8:1:2::9';
    await refuse(perAddress - 1, () => [randomUUID(), address]);
    expect(await isAllowed('right', address, true)).to.equal(true);
    await refuse(1, () => [randomUUID(), address]);
    expect(await isAllowed('right', address, true)).to.equal(false);
    expect(await isAllowed('right', '2001:db8:1:3::9', true)).to.equal(true);
    expect(await isAllowed(known, address, true)).to.equal(true);
    expect(await isAllowed(known.toUpperCase(), address, true)).to.equal(true);
  });

  it('of one user from one address stop counting for other users once there are too many', async () => {
    await refuse(3 * perAddress, () => ['old.password', '192.0.2.20']);
    expect(await isAllowed('old.password', '192.0.2.20', true)).to.equal(false);
    expect(await isAllowed('old.password', '192.0.2.21', true)).to.equal(true);
    expect(await isAllowed('right', '192.0.2.20', true)).to.equal(true);
  });

  it('of one user from many addresses are limited, except where the user has published from', async () => {
    const userCode = await publisherFrom('198.51.100.1');
    await refuse(perUser, (index) => [userCode, `203.0.113.${Math.floor(index / 3)}`]);
    expect(await isAllowed(userCode, '203.0.113.200', true)).to.equal(false);
    expect(await isAllowed(userCode, '198.51.100.1', true)).to.equal(true);
    await refuse(5, () => [userCode, '198.51.100.1']);
    expect(await isAllowed(userCode, '198.51.100.1', true)).to.equal(false);
  });
});
