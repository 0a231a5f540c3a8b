import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openBrowser } from '../support/browser.js';
import { openDeployment, type TestDeployment, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { parseMaster, parseMedia } from '../support/hlsPlaylist.js';
import { openBroadcast, type TestBroadcast } from '../support/live/broadcast.js';
import { keepPublishing, type KeptEncoder } from '../support/rtmp/encoder.js';
import { challengeAddress } from '../support/liveStreams.js';
import { liveCoding, makeVideo, runTool } from '../support/media.js';
import { both, itWith, requirements, shakaPlayerPath } from '../support/requirements.js';

/** Seconds for which each player plays before and after the encoder is killed. */
const halfSeconds = 15;

/** The number of segments in the first rendition; 0 before a playlist exists. */
async function listedSegments(masterUrl: string): Promise<number> {
  const master = await fetch(masterUrl);
  const [variant] = master.ok ? parseMaster(await master.text()) : [];
  return variant ? parseMedia(await (await fetch(new URL(variant.uri, masterUrl))).text()).segments.length : 0;
}

/** Players other than hls.js read a live stream whose encoder is killed and returns. */
describe('a live stream in other players', function () {
  this.timeout(180_000);
  let deployment: TestDeployment;
  let broadcast: TestBroadcast;
  let encoder: KeptEncoder;

  before(async () => {
    const port = await freePort();
    deployment = await openDeployment({
      ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: String(port), LIVE_RENDITIONS: '240,120', LIVE_PRESET: 'ultrafast' },
      LIVE_RECONNECT_SECONDS: '20',
    });
    await Promise.all([deployment.start('web'), deployment.start('live')]);
    broadcast = await openBroadcast(deployment);
    const clip = await makeVideo({ seconds: 60, size: '426x240', coding: liveCoding });
    encoder = keepPublishing(clip, [challengeAddress(port, broadcast)]);
    // GStreamer 1.22 does not recognise a playlist of one segment after it has grown.
    await eventually(async () => expect(await listedSegments(broadcast.masterUrl)).to.be.at.least(3), {
      timeoutMs: 30_000,
    });
  });
  after(async () => {
    await encoder?.stop();
    await deployment?.close();
  });

  itWith(
    both(requirements.chromium, requirements.shaka),
    'continues, rewinds and returns to the live edge in Shaka Player in Chromium',
    async function () {
      const browser = await openBrowser();
      try {
        const page = await browser.newPage({ bypassCSP: true });
        await page.goto(`${deployment.api.url}/healthz`);
        await page.setContent('<video muted autoplay width="426"></video>');
        await page.addScriptTag({ path: shakaPlayerPath });
        await page.evaluate(`(async () => {
        window.errors = [];
        shaka.polyfill.installAll();
        window.player = new shaka.Player();
        await player.attach(document.querySelector('video'));
        player.addEventListener('error', ({ detail }) => errors.push(detail.severity + ' ' + detail.code));
        await player.load(${JSON.stringify(`${broadcast.masterUrl}?dvr=1`)});
      })()`);
        const look = () =>
          page.evaluate<{ at: number; frames: number; live: boolean; latency: number; errors: string[] }>(`(() => {
          const video = document.querySelector('video');
          const latency = (Date.now() - player.getPlayheadTimeAsDate()) / 1000;
          const frames = video.getVideoPlaybackQuality().totalVideoFrames;
          return { at: video.currentTime, frames, latency, live: player.isLive(), errors };
        })()`);
        await sleep(halfSeconds * 1000);
        const before = await look();
        await encoder.kill();
        await sleep(halfSeconds * 1000);
        const after = await look();
        console.error(`      Shaka Player ${JSON.stringify([before, after])}`);
        expect(after).to.deep.include({ live: true, errors: [] });
        expect(after.frames - before.frames).to.be.greaterThan(25 * (halfSeconds - 8));
        await page.evaluate('document.querySelector("video").currentTime -= 15');
        await eventually(async () => expect((await look()).at).to.be.within(after.at - 16, after.at - 8));
        await page.evaluate('player.goToLive()');
        await eventually(async () => expect((await look()).latency).to.be.below(20));
        expect((await look()).errors).to.deep.equal([]);
      } finally {
        await browser.close();
      }
    },
  );

  itWith(requirements.gstreamer, 'continues in GStreamer', async function () {
    const sinks = [
      'video-sink=fpsdisplaysink text-overlay=false video-sink=fakesink sync=true',
      'audio-sink=fakesink sync=true',
    ];
    const child = spawn('gst-launch-1.0', ['-v', 'playbin3', `uri=${broadcast.masterUrl}`, ...sinks], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (printed += data.toString()));
    const ended = once(child, 'close');
    const rendered = (): number => Number([...printed.matchAll(/rendered: (\d+)/g)].at(-1)?.[1] ?? 0);
    try {
      await sleep(halfSeconds * 1000);
      const before = rendered();
      await encoder.kill();
      await sleep(halfSeconds * 1000);
      console.error(`      GStreamer: ${before} frames, ${rendered()} after the encoder was killed and has returned`);
      expect(printed).not.to.include('ERROR');
      // GStreamer waits until its buffer is full again.
      expect(rendered() - before, printed.slice(-2000)).to.be.greaterThan(25 * (halfSeconds - 10));
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });

  it('continues in ffmpeg', async () => {
    const reading = runTool('ffmpeg', [
      ...['-i', broadcast.masterUrl, '-map', '0:v:0', '-map', '0:a:0', '-t', String(2 * halfSeconds)],
      ...['-f', 'framecrc', '-'],
    ]);
    await sleep(halfSeconds * 1000);
    await encoder.kill();
    const frames = (await reading).split('\n').filter((line) => line.startsWith('0,')).length;
    console.error(`      ffmpeg: ${frames} frames`);
    expect(frames).to.be.greaterThan(25 * (2 * halfSeconds - 8));
  });
});
