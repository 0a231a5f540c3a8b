import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createCastChannel } from '../../shared/cast/castChannel.service.js';
import {
  apiAt,
  askToken,
  publicToken,
  registerUser,
  registration,
  type TestApi,
  type TestUser,
} from '../support/api.js';
import { seedDayContent, watchPlaylists, type PlaylistWatch } from './playlistWatch.js';
import { expectJoined, playoutFixtureOf, type PlayoutFixture } from '../support/cast/playoutFixture.js';
import { seedBoxItem, seedStream } from '../support/rows.js';
import { setQuota } from '../support/licenses.js';
import {
  openDeployment,
  untilSettled,
  uploadClip,
  type TestDeployment,
  type BuiltProcess,
  freePort,
} from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import {
  openBroadcast,
  watchOnAir,
  type OnAirWatch,
  type TestBroadcast,
  expectCompleteRecording,
} from '../support/live/broadcast.js';
import { keepPublishing, type KeptEncoder } from '../support/rtmp/encoder.js';
import { challengeAddress } from '../support/liveStreams.js';
import { startViewer, type Viewer } from '../support/live/viewer.js';
import { liveCoding, makeVideo } from '../support/media.js';
import { documentedSite, startNginx, type Nginx } from '../support/nginx.js';
import { buildReleaseBefore, thisRelease, type BuiltRelease } from './releases.js';
import { startSteadyLoad, type SteadyLoad } from '../support/steadyLoad.js';
import { startSteadyUploads, type SteadyUploads } from './steadyUploads.js';
import { streamPathOf } from '../support/streamFixture.js';
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhookReceiver.js';
import { both, describeWith, requirements } from '../support/requirements.js';

/** A systemd unit or a dyno: a process that is restarted separately. */
interface Unit {
  readonly kind: 'web' | 'worker' | 'live' | 'clock';
  readonly env: Readonly<Record<string, string>>;
  /** Its previous processes and the current one, which is last. */
  readonly processes: BuiltProcess[];
}

const daySeconds = 24 * 3_600;
const settledMs = 60_000;
/** A plan with enough uploads. */
const manyUploads = 5;

/**
 * The previous release runs with its schema. The database is migrated, and each process is replaced with one of this release, and
 * back, while users upload, publish, and watch a film, a live event and a cast channel behind the nginx of `docs/deploy.md`.
 * Between two restarts both releases share the work.
 */
describeWith(
  both(requirements.nginx, requirements.history),
  'a release while viewers watch and encoders publish',
  function () {
    this.timeout(900_000);
    let earlier: BuiltRelease;
    let folder: string;
    let deployment: TestDeployment;
    let nginx: Nginx;
    let api: TestApi;
    let owner: TestUser;
    let units: Unit[];
    let uploads: SteadyUploads;
    let load: SteadyLoad;
    let broadcast: TestBroadcast;
    let encoder: KeptEncoder;
    let viewer: Viewer;
    let onAir: OnAirWatch;
    let fixture: PlayoutFixture;
    let channelId: string;
    let channel: PlaylistWatch;
    let receiver: WebhookReceiver;

    before(async () => {
      earlier = await buildReleaseBefore();
      folder = await mkdtemp(join(tmpdir(), 'video-platform-sockets-'));
      const port = await freePort();
      const ports = await Promise.all(Array.from({ length: 4 }, freePort));
      const publicUrl = `http://127.0.0.1:${port}`;
      deployment = await openDeployment(
        {
          ...{ LOG_LEVEL: 'info', PUBLIC_URL: publicUrl, PROXY_HOPS: '1', PLAYBACK_DELIVERY: 'accel' },
          ...{ RTMP_HOST: '127.0.0.1', LIVE_RENDITIONS: '180,100', LIVE_PRESET: 'ultrafast' },
          ...{ CAST_FREEZE_SECONDS: '4', CAST_MAX_HEIGHT: '240', OUTGOING_ALLOWED_NETWORKS: '127.0.0.1' },
        },
        undefined,
        { isMigrated: false },
      );
      await earlier.migrate(deployment.ctx.env);
      const sockets = [join(folder, 'a.sock'), join(folder, 'b.sock')] as const;
      const rtmpPorts = ports.slice(2) as [number, number];
      units = [
        ...sockets.map((path, index) =>
          unit('web', { PORT: String(ports[index]), SOCKET_PATH: path, DRAIN_SECONDS: '1' }),
        ),
        ...[unit('worker'), unit('worker')],
        ...rtmpPorts.map((rtmpPort) => unit('live', { RTMP_PORT: String(rtmpPort) })),
        ...[unit('clock'), unit('clock')],
      ];
      for (const one of units) await start(one, earlier);
      const { dataDir } = deployment.ctx.config;
      nginx = await startNginx(await documentedSite({ port, sockets, dataDir }), port);
      api = apiAt(deployment.ctx, publicUrl);
      await expectUploadOnOldSchema();
      await thisRelease().migrate(deployment.ctx.env);
      await beginLoad(rtmpPorts);
    });
    after(async () => {
      await encoder?.stop();
      await nginx?.close();
      await receiver?.close();
      await deployment?.close();
      await earlier?.close();
      if (folder) await rm(folder, { recursive: true, force: true });
    });

    const unit = (kind: Unit['kind'], env: Unit['env'] = {}): Unit => ({ kind, env, processes: [] });

    async function start({ kind, env, processes }: Unit, release: BuiltRelease): Promise<void> {
      processes.push(await deployment.start(kind, env, release.build));
    }

    /** Before the migration: only over HTTP, because functions of this release need its schema. */
    async function expectUploadOnOldSchema(): Promise<void> {
      const tokenBy = async (form: Readonly<Record<string, string>>): Promise<string> =>
        String((await askToken(api, form)).body.access_token);
      const account = registration();
      const body = JSON.stringify(account);
      const anybody = await tokenBy({ grant_type: 'client_credentials' });
      const registered = await api.call('POST', '/api/public/user/register', { token: anybody, body });
      expect(registered.status, registered.text).to.equal(201);
      const { userCode, password } = account;
      const token = await tokenBy({ grant_type: 'password', username: String(userCode), password: String(password) });
      const { boxId } = await uploadClip(api, token, new Blob([await readFile(await makeVideo())]), 'Before');
      expect(await untilSettled(api, token, boxId, settledMs)).to.equal('READY');
    }

    /** The continuous requests of viewers and publishers. */
    async function beginLoad(rtmpPorts: readonly [number, number]): Promise<void> {
      const { ctx } = deployment;
      receiver = await openWebhookReceiver();
      owner = await registerUser(api);
      await setQuota(ctx, owner.userId, { planId: manyUploads });
      const webhook = { url: receiver.url, events: ['content.ready'] };
      expect((await api.call('POST', '/api/webhook', { token: owner.token, body: webhook })).status).to.equal(201);
      const item = await seedBoxItem(ctx, owner.userId);
      await seedStream(ctx, item.folder);
      const film = await streamPathOf(ctx, owner, item);
      load = startSteadyLoad(api, owner, [
        ...['/api/public/license', `/api/box/${item.boxId}`],
        ...['240p/index.m3u8', '240p/s0.m4s', '240p/init.mp4'].map((name) => `${film}${name}`),
      ]);
      uploads = startSteadyUploads(api, owner, await readFile(await makeVideo({ seconds: 2, size: '160x90' })));
      broadcast = await openBroadcast({ ...deployment, api });
      const clip = await makeVideo({ seconds: 60, size: '320x180', coding: liveCoding });
      encoder = keepPublishing(
        clip,
        rtmpPorts.map((rtmpPort) => challengeAddress(rtmpPort, broadcast)),
      );
      viewer = await startViewer(broadcast.masterUrl, { isStrict: true });
      onAir = await watchOnAir({ ...deployment, api }, broadcast);
      await beginChannel();
    }

    async function beginChannel(): Promise<void> {
      const { ctx } = deployment;
      fixture = await playoutFixtureOf(ctx, api);
      ctx.clock.advance(Date.now() - ctx.clock.now().getTime());
      const { boxId } = await seedDayContent(ctx, fixture.owner.userId);
      const created = await createCastChannel(ctx, fixture.owner.userId, { name: 'Channel', streamPath: 'released' });
      channelId = created.id;
      await fixture.program(channelId, 30 - daySeconds, [
        [daySeconds, { boxItemId: boxId }],
        ...Array.from({ length: 100 }, (_, index) => [12, { boxItemId: boxId, offsetSeconds: index * 60 }] as const),
      ]);
      const token = await publicToken(api);
      const address = await eventually(
        async () => {
          const { body, text } = await api.call('POST', `/api/public/cast/channel/${channelId}/play`, { token });
          expect(body.result, text).to.equal('PLAY');
          return (body.streamer as string).replace('master.m3u8', 'video-240p.m3u8');
        },
        { timeoutMs: settledMs, everyMs: 200 },
      );
      channel = watchPlaylists([address]);
    }

    /** Expects that the current processes do work of every kind. */
    async function expectGoingOn(): Promise<void> {
      const accepted = uploads.boxIds.length;
      await eventually(() => expect(uploads.boxIds.length, 'uploads').to.be.above(accepted + 1), {
        timeoutMs: settledMs,
      });
      await Promise.all([viewer.more(2), channel.more(2)]);
      for (const boxId of uploads.boxIds.slice(accepted)) await expectReady(boxId);
    }

    async function expectReady(boxId: string): Promise<void> {
      expect(await untilSettled(api, owner.token, boxId, settledMs), boxId).to.equal('READY');
    }

    /** Restarts one unit after the other, like `systemctl restart`. */
    async function replaceBy(release: BuiltRelease): Promise<void> {
      for (const one of units) {
        expect(await one.processes.at(-1)?.end('SIGTERM'), one.kind).to.equal(0);
        await start(one, release);
        await expectGoingOn();
      }
    }

    it('continues after each restart to this release', async () => {
      await expectGoingOn();
      await replaceBy(thisRelease());
    });

    it('continues after each restart back to the previous release, on this release’s schema', async () => {
      await replaceBy(earlier);
    });

    it('fails no request and makes every upload READY with one event', async () => {
      expect(JSON.stringify(await uploads.end()), 'uploads').to.equal('[]');
      const { sent, failures } = await load.end();
      expect(JSON.stringify(failures)).to.equal('[]');
      expect(sent).to.be.above(1_000);
      for (const boxId of uploads.boxIds) await expectReady(boxId);
      const events = (): string[] => receiver.of('content.ready').map(({ body }) => body.data.boxItem.boxId as string);
      await eventually(() => expect(new Set(events())).to.deep.equal(new Set(uploads.boxIds)), {
        timeoutMs: settledMs,
      });
      expect(events()).to.have.length(uploads.boxIds.length);
    });

    it('loses no segment of the live event, its recording, or the channel', async () => {
      await viewer.stop();
      expect((await onAir.stop()).off, 'responses that it is not on air').to.equal(0);
      await encoder.stop();
      await expectCompleteRecording(deployment, broadcast);
      expect(await channel.stop()).to.be.above(10);
      expectJoined(await fixture.airings(channelId));
    });

    it('runs no job twice and logs no error', () => {
      const lines = units
        .flatMap(({ processes }) => processes.flatMap((one) => one.output().split('\n')))
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines.filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
      const done = lines
        .filter(({ msg }) => msg === 'job done')
        .map(({ queue, jobId }) => `${String(queue)} ${String(jobId)}`);
      expect(done.length).to.be.above(100);
      expect(done.filter((one, index) => done.indexOf(one) !== index)).to.deep.equal([]);
    });
  },
);
