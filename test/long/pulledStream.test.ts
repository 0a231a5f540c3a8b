import { expect } from 'chai';
import type { FlvTag } from '../../shared/media/flv/flvTag.js';
import { openPulledStream } from '../../workers/live/packaging/pulledStream.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { makeClip } from '../support/media.js';
import { plainRtmp, startNginx, type Nginx } from '../support/nginx.js';
import { freePort } from '../support/processes.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { describeWith, requirements } from '../support/requirements.js';

/** Frames from one keyframe to the next: as the README advises, and x264 by default. */
const intervals = [50, 250];

describeWith(requirements.nginxRtmp, 'streams that are pulled from nginx-rtmp', function () {
  this.timeout(60_000);
  let ctx: TestContext;
  let nginx: Nginx | undefined;
  let port: number;
  const encoders: Encoder[] = [];

  before(async () => {
    ctx = await openTestContext();
    port = await freePort();
    nginx = await startNginx('', port, plainRtmp(port));
  });
  after(async () => {
    await Promise.all(encoders.map((encoder) => encoder.kill()));
    await nginx?.close();
    await ctx?.close();
  });

  /** The first second of what is pulled while an encoder publishes with this keyframe interval. */
  async function pulled(interval: number): Promise<FlvTag[]> {
    const clip = await makeClip('flv', [
      ...['-f', 'lavfi', '-i', 'testsrc=s=160x90:r=25:d=30', '-f', 'lavfi', '-i', 'sine=d=30', '-c:a', 'aac'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', String(interval)],
      ...['-x264-params', 'scenecut=0'],
    ]);
    const url = `rtmp://127.0.0.1:${port}/live/every${interval}`;
    const encoder = startEncoder(clip, url, { isLive: true });
    encoders.push(encoder);
    const stop = new AbortController();
    const { tags } = await eventually(() => openPulledStream(ctx.config, { url }, stop.signal), {
      timeoutMs: 20_000,
    });
    const media: FlvTag[] = [];
    for await (const batch of tags) {
      // Configurations may be older by an interval.
      media.push(...batch.filter(({ payload }) => payload[1] !== 0));
      if ((media.at(-1)?.timestampMs ?? 0) - (media[0]?.timestampMs ?? 0) > 1000) break;
    }
    stop.abort();
    await encoder.kill();
    return media;
  }

  it('have video from their first moment, though the server sends audio until the next keyframe', async () => {
    for (const media of await Promise.all(intervals.map(pulled))) {
      const [first] = media;
      expect(first).to.include({ type: 9 });
      expect(first?.payload[0]).to.equal(0x17);
      const isNear = ({ timestampMs }: FlvTag): boolean => Math.abs(timestampMs - (first?.timestampMs ?? 0)) < 1500;
      expect(media.filter((tag) => tag.type === 9 && isNear(tag))).to.have.length.above(20);
      expect(media.filter((tag) => tag.type === 8 && isNear(tag))).to.have.length.above(20);
    }
  });
});
