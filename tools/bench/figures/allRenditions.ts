import type { Figure } from '../figure.js';
import { planOf, untilComplete, upload } from '../ingest.js';
import { encodeLadder } from '../plainLadder.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const allRenditionsFigure: Figure = {
  name: 'ladder-h264',
  title: 'Upload accepted to all renditions, 60 s of 1080p30 H.264, one media worker, against one raw ffmpeg',
  target: { atMost: 1.05 },
  reason: 'operate.md: the processors that a day of film needs.',
  method:
    'A clip of 60 s in H.264 (1080p30 with grain and audio) is uploaded over HTTP, with one worker process for all queues at default settings. ' +
    'From its 201 to the first read with status READY where no rendition is still made. Reference: one ffmpeg process that encodes the ' +
    'renditions of the same plan (same sizes, preset, quality, maximum bitrates, keyframes and segments; fMP4 HLS, the audio once and by ' +
    'itself), on all cores. It scales each rendition from the source; ours from the next larger one. Ours also copies the source to a first ' +
    'rendition, probes, creates the thumbnail and the previews, and checks and stores every segment.',
  async measure(bench) {
    const clip = await bench.clips.h264();
    const service = await startService(bench);
    await bench.start('workers/main.js', service.environment);
    const ingest = async () => {
      const one = await upload(service, clip);
      return { one, seconds: await untilComplete(service, one) };
    };
    const { one } = await ingest();
    const plan = await planOf(service, one);
    const preset = service.ctx.config.media.encoderPreset;
    return sideBySide({
      ...{ unit: 's', rounds: bench.quick ? 1 : 3, onProgress: bench.onProgress },
      ours: async () => (await ingest()).seconds,
      reference: () => encodeLadder(bench, clip, { plan, preset }),
    });
  },
};
