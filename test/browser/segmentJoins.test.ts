import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { browserFixture } from '../support/browser.js';
import { directTranscoding } from '../support/directTranscoding.js';
import { readTags } from '../support/flvEditing.js';
import { makeFlv } from '../support/liveRun.js';
import { makeClip } from '../support/media.js';
import { Encoder } from '../../workers/live/packaging/encoder.js';
import { Gate } from '../../workers/live/packaging/eventQueue.js';
import { planEncoding } from '../../workers/live/packaging/encodingPlan.js';
import { observe } from '../../workers/live/packaging/firstSeconds.js';
import { MediaTagReader } from '../../workers/live/packaging/mediaTag.js';
import { RunTimeline } from '../../workers/live/packaging/runTimeline.js';
import type { EncodedSegment } from '../../workers/live/packaging/segmenter.js';
import { TagWindow } from '../../workers/live/packaging/tagWindow.js';
import { describeWith, requirements } from '../support/requirements.js';

const hlsPath = createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js');

/** The second segment twice and then the first one, each after a discontinuity, like the programs of a channel. */
const list = [
  ...['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:4', '#EXT-X-MEDIA-SEQUENCE:0'],
  ...[1, 1, 0].flatMap((segment, index) => [
    ...(index > 0 ? ['#EXT-X-DISCONTINUITY'] : []),
    ...['#EXT-X-MAP:URI="init"', '#EXTINF:4,', String(segment)],
  ]),
  '#EXT-X-ENDLIST',
].join('\n');

describeWith(requirements.chromium, 'joins of segments with reordered frames in a browser', function () {
  this.timeout(60_000);
  const direct = directTranscoding({ ENCODER_PRESET: 'veryfast' });
  const { browser } = browserFixture();
  let server: Server;

  afterEach(() => {
    server?.close();
    server?.closeAllConnections();
  });

  /** The buffered ranges of hls.js after it has loaded the playlist. */
  async function bufferedRanges(
    init: Buffer,
    segments: readonly Buffer[],
  ): Promise<{ ranges: number[][]; errors: string[] }> {
    const files: Record<string, Buffer | string> = {
      ...{ '/': '<video muted></video>', '/list.m3u8': list, '/init': init },
      ...Object.fromEntries(segments.map((segment, number) => [`/${number}`, segment])),
    };
    server = createServer(({ url = '' }, response) => {
      response.setHeader('Content-Type', url === '/' ? 'text/html' : 'application/octet-stream');
      response.end(files[url]);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = await browser.newPage();
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await page.goto(`${origin}/`);
    await page.addScriptTag({ path: hlsPath });
    await page.evaluate(`
      window.errors = [];
      window.loaded = 0;
      const hls = new Hls();
      hls.on(Hls.Events.ERROR, (_event, { details }) => window.errors.push(details));
      hls.on(Hls.Events.FRAG_BUFFERED, () => (window.loaded += 1));
      hls.loadSource('${origin}/list.m3u8');
      hls.attachMedia(document.querySelector('video'));`);
    await page.waitForFunction('window.loaded === 3');
    const ranges = await page.evaluate<number[][]>(`(() => {
      const { buffered } = document.querySelector('video');
      return Array.from({ length: buffered.length }, (_, index) => [buffered.start(index), buffered.end(index)]);
    })()`);
    return { ranges, errors: await page.evaluate<string[]>('window.errors') };
  }

  it('play into the middle of a video without a gap', async () => {
    const clip = await makeClip('mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=8', '-f', 'lavfi', '-i', 'sine=d=8'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ]);
    const { media, segments } = await direct.transcode(clip);
    const initBytes = media.length - segments.reduce((sum, { length }) => sum + length, 0);
    const { ranges, errors } = await bufferedRanges(media.subarray(0, initBytes), segments);
    expect(ranges, 'one range').to.have.length(1);
    expect(ranges[0]?.[0]).to.be.closeTo(0, 0.022);
    expect(errors).to.deep.equal([]);
  });

  it('play into the middle of a live run without a gap, copied and encoded', async () => {
    const flv = await makeFlv({ seconds: 6, video: ['-c:v', 'libx264', '-preset', 'veryfast'] });
    const window = new TagWindow();
    const reader = new MediaTagReader(new RunTimeline(() => null));
    window.push((await readTags(flv)).flatMap((tag) => reader.read(tag) ?? []));
    const plan = planEncoding(observe(window.tags) ?? expect.fail('nothing to see'), [180, 120]);
    expect(plan.isTopCopied).to.equal(true);
    const segments: EncodedSegment[] = [];
    let inits: readonly Buffer[] = [];
    window.rewind(plan);
    const start = window.findStart(plan, 0) ?? expect.fail('nothing to start with');
    await new Promise<void>((resolve, reject) => {
      const encoder = new Encoder({
        ...{ ffmpegPath: direct.ctx.config.media.ffmpegPath, plan, start, outputGate: new Gate() },
        settings: { preset: 'veryfast', maxPixels: 1e6 },
        report(event) {
          if (event.kind === 'encoderEnded') return event.isClean ? resolve() : reject(new Error(event.detail));
          if (event.kind !== 'segment') return;
          segments.push(event.segment);
          inits = event.initialisations.flatMap((initialisation) => initialisation?.data ?? []);
        },
      });
      for (let tag = window.peek(); tag; tag = window.peek()) {
        encoder.write(encoder.partsOf(tag));
        window.take();
      }
      encoder.endInput();
    });
    expect(inits).to.have.length(2);
    for (const [rendition, init] of inits.entries()) {
      const media = segments.map(({ renditions }) => Buffer.concat(renditions[rendition]?.data ?? []));
      const { ranges, errors } = await bufferedRanges(init, media);
      expect(ranges, `one range of rendition ${rendition}`).to.have.length(1);
      expect(ranges[0]?.[0]).to.be.closeTo(0, 0.022);
      expect(errors).to.deep.equal([]);
    }
  });
});
