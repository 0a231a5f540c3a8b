import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.js';
import { writePlayed } from '../support/cast/castFixture.js';
import { recordedPackets, recordWithVlc, runPlayer } from '../support/cast/players.js';
import { openStation } from '../support/cast/station.js';
import { makeUnlikeSources } from '../support/cast/unlikeSources.js';
import { withRealClock, openTestContext, type TestContext } from '../support/context.js';
import { freePort } from '../support/deployment.js';
import { castDelaySeconds } from '../../shared/cast/playout.service.js';
import { itWith, requirements } from '../support/requirements.js';

/** Each minute contains more than ten joins. */
const watchedSeconds = 60;
/** Players start several segments before the end of a live playlist, and some start slightly late. */
const startSeconds = 12;

/** Third-party players open the address in `channels.m3u` in real time. */
describe('a cast channel with many joins in other players', function () {
  this.timeout(240_000);
  let ctx: TestContext;
  let api: TestApi;
  let address: string;
  let folder: string;
  let played: Awaited<ReturnType<typeof makeUnlikeSources>>;

  before(async () => {
    folder = await mkdtemp(join(process.env['TEST_RUN_DIR'] ?? tmpdir(), 'players-'));
    const port = await freePort();
    const context = await openTestContext(
      { PUBLIC_URL: `http://127.0.0.1:${port}`, CAST_MAX_HEIGHT: '240', ENCODER_PRESET: 'veryfast' },
      { limits: [[castDelaySeconds, 2]] },
    );
    ctx = withRealClock(context);
    api = await startApi(ctx, port);
    played = await makeUnlikeSources(ctx);
  });
  beforeEach(async () => {
    const { channelId } = await openStation(ctx, api);
    // The playlist has its full length when a player opens it.
    await writePlayed(ctx, channelId, Date.now() - 40_000, [...played, ...played]);
    address = `${api.url}/api/public/cast/channel/${channelId}/playlist.m3u8`;
  });
  after(async () => {
    await api?.close();
    await ctx?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The duration of a recording's video in seconds, all of which ffmpeg must decode. */
  async function secondsOf(recording: string | Buffer): Promise<number> {
    const frames = (await recordedPackets(recording)).filter(({ kind }) => kind === 'video');
    const times = frames.map(({ pts }) => pts);
    return Math.max(...times) - Math.min(...times);
  }

  async function complaintsAbout(file: string): Promise<string[]> {
    const options = ['-v', 'warning', '-i', file, '-fps_mode', 'passthrough', '-f', 'framecrc', '-'];
    const { printed } = await runPlayer('ffmpeg', options, { seconds: 60 });
    return printed.split('\n').filter((line) => line !== '' && !/duplicated MOOV|Last message repeated/.test(line));
  }

  itWith(requirements.mpv, 'keeps audio and video in sync in mpv', async function () {
    const options = [
      ...['--no-config', '--vo=null', '--ao=null', '--msg-level=all=warn,statusline=status'],
      ...['--term-status-msg=at ${=time-pos} apart ${=avsync} size ${width}', address],
    ];
    const { stdout, printed } = await runPlayer('mpv', options, { seconds: watchedSeconds });
    const states = [...`${stdout.toString()}${printed}`.matchAll(/at ([\d.]+) apart (-?[\d.]+) size (\d+)/g)].map(
      ([, at, apart, width]) => ({ at: Number(at), apart: Math.abs(Number(apart)), width }),
    );
    const last = states.at(-1)?.at ?? 0;
    const worst = Math.max(...states.map(({ apart }) => apart));
    console.error(`      mpv: ${last} s, at most ${worst} s apart`);
    expect(last).to.be.above(watchedSeconds - startSeconds);
    expect(new Set(states.map(({ width }) => width)).size, 'sizes').to.be.at.least(4);
    expect(worst).to.be.at.most(0.1);
  });

  itWith(requirements.gstreamer, 'shows every frame at its time in GStreamer', async function () {
    const sinks = [
      'video-sink=fpsdisplaysink text-overlay=false video-sink=fakesink sync=true',
      'audio-sink=fakesink sync=true',
    ];
    const { stdout, printed } = await runPlayer('gst-launch-1.0', ['-v', 'playbin3', `uri=${address}`, ...sinks], {
      seconds: watchedSeconds,
    });
    const text = `${stdout.toString()}${printed}`;
    const states = [...text.matchAll(/rendered: (\d+), dropped: (\d+), current: ([\d.]+)/g)].map((match) =>
      match.slice(1).map(Number),
    );
    const [frames = 0, dropped = 0] = states.at(-1) ?? [];
    const fastest = Math.max(...states.map(([, , current = 0]) => current));
    console.error(`      GStreamer: ${frames} frames, ${dropped} dropped, at most ${fastest} per second`);
    expect(text).not.to.include('ERROR');
    // Each count covers half a second, which includes two frame rates at joins.
    expect(fastest, 'frames per second').to.be.below(90);
    expect(frames).to.be.above(15 * (watchedSeconds - startSeconds));
    // GStreamer reports twice a second while it shows frames.
    expect(states.length).to.be.above(watchedSeconds - startSeconds);
  });

  itWith(
    requirements.streamlink,
    'is recorded by streamlink to a file that ffmpeg reads without an error',
    async function () {
      const file = join(folder, 'streamlink.mp4');
      const options = ['--hls-duration', '44', '--force', '-o', file, `hls://${address}`, 'best'];
      const { stdout } = await runPlayer('streamlink', options, { seconds: watchedSeconds + startSeconds });
      const seconds = await secondsOf(file).catch(() => expect.fail(stdout.toString()));
      console.error(`      streamlink: ${seconds.toFixed(2)} s`);
      expect(seconds).to.be.within(40, 48);
      expect(await complaintsAbout(file)).to.deep.equal([]);
    },
  );

  itWith(requirements.ytDlp, 'is downloaded by yt-dlp with the correct duration of 40 s', async function () {
    const file = join(folder, 'yt-dlp.mp4');
    const options = ['--no-cache-dir', '--no-part', '--downloader', 'ffmpeg', '--downloader-args', 'ffmpeg_o:-t 40'];
    const { printed } = await runPlayer('yt-dlp', [...options, '-o', file, address], {
      seconds: watchedSeconds + startSeconds,
    });
    const seconds = await secondsOf(file).catch(() => expect.fail(printed));
    console.error(`      yt-dlp: ${seconds.toFixed(2)} s`);
    expect(seconds).to.be.closeTo(40, 0.6);
    expect(printed).not.to.match(/[Nn]on-monoton|out of order/);
    expect(await complaintsAbout(file)).to.deep.equal([]);
  });

  itWith(requirements.vlc, 'plays without interruption in VLC', async function () {
    const { stdout, printed } = await recordWithVlc(address, watchedSeconds);
    const seconds = await secondsOf(stdout);
    console.error(`      VLC: ${seconds.toFixed(2)} s`);
    expect(seconds, printed.slice(-2000)).to.be.above(watchedSeconds - startSeconds);
  });
});
