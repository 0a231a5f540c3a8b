import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { languages } from '../../../shared/platform/i18n.js';
import { refusalMessageKey, refusalReasons, type RefusalReason } from '../../../shared/streaming/refusedEncoder.js';
import { recordRefusedEncoder, refusedEncoderOf } from '../../../shared/streaming/refusedEncoder.service.js';
import { User } from '../../../shared/user/user.model.js';
import { eventually } from '../../support/eventually.js';
import { useFixture } from '../../support/fixtures.js';
import { publishSeconds } from '../../support/licenses.js';
import { startTestLive, type TestLive } from '../../support/live/liveProcess.js';
import { challengeAddress, keyAddress, runsOf } from '../../support/liveStreams.js';
import { makeVideo } from '../../support/media.js';
import { bodyOf, type TestUser } from '../../support/api.js';
import { changeRow } from '../../support/rows.js';
import { startEncoder, type Encoder } from '../../support/rtmp/encoder.js';
import { disableUser, setLivePassword } from '../../support/users.js';
import { openStudio } from './studio.js';

describe('a rejected encoder', function () {
  this.timeout(30_000);
  const studio = useFixture(openStudio);
  let live: TestLive;
  let clip: string;
  const running: Encoder[] = [];

  before(async () => {
    clip = await makeVideo({ seconds: 2, size: '160x90' });
    const { ctx } = studio;
    const rtmp = { ...ctx.config.live.rtmp, host: '127.0.0.1', port: 0 };
    live = await startTestLive({
      ...ctx,
      config: { ...ctx.config, live: { ...ctx.config.live, rtmp, concurrency: 1 } },
    });
  });
  afterEach(() => Promise.all(running.splice(0).map((encoder) => encoder.kill())));
  after(() => live?.close());

  /** A publisher with a live channel, a cast channel and a cast stream; `login` publishes to the live channel. */
  async function newPublisher() {
    const user = await studio.newPublisher();
    const body = () => ({ name: 'Alps', streamPath: `path-${randomBytes(6).toString('hex')}` });
    const create = async (kind: string, more: object = {}) =>
      bodyOf(201, await studio.post(`/api/${kind}`, { ...body(), ...more }, user.token));
    const channel = await create('live/channel');
    const login = {
      userCode: user.userCode,
      livePassword: await setLivePassword(studio.ctx, user.userId),
      streamPath: channel.streamPath as string,
    };
    return {
      ...{ user, login, channelId: channel.channelId as string },
      castChannel: await create('cast/channel'),
      castStream: await create('cast/stream'),
    };
  }
  type OwnPublisher = Awaited<ReturnType<typeof newPublisher>>;

  const printedBy = async (address: string, options: readonly string[] = []): Promise<string> =>
    (await startEncoder(clip, address, { isRealTime: true, options }).ended).printed;
  const shownAt = async (path: string, { token }: TestUser, language = 'en') =>
    bodyOf(200, await studio.get(path, token, { 'Accept-Language': language })).refusedEncoder;
  const channelOf = ({ channelId }: OwnPublisher): string => `/api/live/channel/${channelId}`;

  it('has a message for its owner in every language', () => {
    for (const reason of refusalReasons)
      for (const language of languages) {
        const message = studio.ctx.translate(language, refusalMessageKey(reason), { codec: 'AV1' });
        expect(message.includes('AV1'), reason).to.equal(reason === 'UNSUPPORTED_CODEC');
      }
  });

  /** The cause of each rejection, the encoder's output, and the channel's `refusedEncoder`. */
  const cases: readonly {
    readonly reason: RefusalReason;
    readonly printed: string;
    readonly addressOf: (port: number, login: OwnPublisher['login']) => string;
    readonly options?: readonly string[];
    readonly prepare?: (publisher: OwnPublisher) => Promise<unknown>;
  }[] = [
    {
      reason: 'WRONG_LOGIN',
      printed: 'Check user code and live password.',
      addressOf: (port, login) => keyAddress(port, { ...login, livePassword: 'wrong' }),
    },
    {
      // Rejected at `connect`, before the encoder names its stream.
      reason: 'WRONG_LOGIN',
      printed: 'authfailed',
      addressOf: (port, login) => challengeAddress(port, { ...login, livePassword: 'wrong' }),
    },
    {
      reason: 'NO_LIVE_PASSWORD',
      printed: 'Check user code and live password.',
      addressOf: keyAddress,
      prepare: ({ user }) => changeRow(studio.ctx, User, user.userId, { livePassword: null }),
    },
    {
      reason: 'STREAMING_HOURS_USED_UP',
      printed: 'The streaming hours of this month are used up.',
      addressOf: keyAddress,
      prepare: ({ user }) => publishSeconds(studio.ctx, user.userId, 10 * 3600),
    },
    {
      reason: 'SERVER_FULL',
      printed: 'This server cannot accept more live streams.',
      addressOf: keyAddress,
      prepare: async () => {
        const { login } = await newPublisher();
        const taken = live.packaged.length;
        running.push(startEncoder(clip, keyAddress(live.port, login), { isLive: true }));
        await eventually(() => expect(live.packaged).to.have.length(taken + 1));
      },
    },
    {
      reason: 'UNSUPPORTED_CODEC',
      printed: 'unsupported codec: video Sorenson H.263. Send H.264 video, with AAC or MP3 audio.',
      addressOf: keyAddress,
      options: ['-c:v', 'flv'],
    },
  ];
  for (const [index, { reason, printed, addressOf, options, prepare }] of cases.entries())
    it(`prints the reason, and its owner reads it in the request’s language: ${reason} (${index})`, async () => {
      const publisher = await newPublisher();
      expect(await shownAt(channelOf(publisher), publisher.user)).to.equal(undefined);
      await prepare?.(publisher);
      const before = live.packaged.length;
      expect(await printedBy(addressOf(live.port, publisher.login), options)).to.include(printed);
      // The codec is known only when media arrives.
      if (reason !== 'UNSUPPORTED_CODEC') {
        expect(live.packaged.length - before).to.equal(0);
        expect(await runsOf(studio.ctx, publisher.channelId)).to.deep.equal([]);
      }
      const shown = await eventually(async () => {
        const refused = await shownAt(channelOf(publisher), publisher.user, 'it');
        expect(refused).to.include({ reason, address: '127.0.0.1' });
        return refused;
      });
      const codec = 'video Sorenson H.263';
      expect(shown.message).to.equal(studio.ctx.translate('it', refusalMessageKey(reason), { codec }));
      const others = await shownAt(`/api/cast/stream/${publisher.castStream.streamId}`, publisher.user);
      expect(others?.reason).to.equal(index === 1 ? reason : undefined);
    });

  it('of a disabled user prints that reason if it has the live password', async () => {
    const { login, user, channelId } = await newPublisher();
    await disableUser(studio.ctx, user.userId);
    expect(await printedBy(keyAddress(live.port, login))).to.include('The account is disabled or not activated.');
    expect(await printedBy(keyAddress(live.port, { ...login, livePassword: 'wrong' }))).to.include(
      'Check user code and live password.',
    );
    expect(await refusedEncoderOf(studio.ctx, channelId)).to.include({ reason: 'WRONG_LOGIN' });
  });

  it('is shown at the cast channel or stream whose path it named, but not for other users’ paths', async () => {
    const { login, user, castChannel, castStream } = await newPublisher();
    const other = await newPublisher();
    const at = (streamPath: string, more = {}) => printedBy(keyAddress(live.port, { ...login, streamPath, ...more }));
    expect(await at(castChannel.streamPath)).to.include('This is the path of a cast channel');
    await at(castStream.streamPath, { livePassword: 'wrong' });
    expect(await at(other.login.streamPath)).to.include('None of your channels and streams has this path.');
    await at(other.login.streamPath, { livePassword: 'wrong' });
    expect((await shownAt(`/api/cast/channel/${castChannel.channelId}`, user)).reason).to.equal('CAST_CHANNEL_PATH');
    expect((await shownAt(`/api/cast/stream/${castStream.streamId}`, user)).reason).to.equal('WRONG_LOGIN');
    expect(await shownAt(channelOf(other), other.user)).to.equal(undefined);
  });

  it('is stored once in ten seconds, and the channel may be sent back as read', async () => {
    const publisher = await newPublisher();
    const { ctx } = studio;
    const { userCode, streamPath } = publisher.login;
    const refuse = (reason: RefusalReason) =>
      recordRefusedEncoder(ctx, { userCode: userCode.toUpperCase(), streamPath, reason, address: '192.0.2.1' });
    const dates = new Set<string | undefined>();
    for (let count = 0; count < 40; count += 1) {
      await refuse('ALREADY_PUBLISHED');
      dates.add((await refusedEncoderOf(ctx, publisher.channelId))?.at);
      ctx.clock.advance(1_000);
    }
    expect(dates).to.have.property('size', 4);
    await refuse('WRONG_LOGIN');
    const channel = bodyOf(200, await studio.get(channelOf(publisher), publisher.user.token));
    expect(channel.refusedEncoder).to.include({ reason: 'WRONG_LOGIN' });
    bodyOf(200, await studio.post(channelOf(publisher), channel, publisher.user.token));
  });
});
