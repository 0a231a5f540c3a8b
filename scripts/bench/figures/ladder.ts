import type { BenchContext } from '../benchContext.js';
import { medianOf, type Figure, type Measured } from '../figure.js';
import { planOf, untilComplete, untilReady, upload } from '../ingest.js';
import { encodeLadder } from '../ladder.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

type Codec = 'h264' | 'hevc';

/** Uploads of one clip, beside one plain ffmpeg. */
interface Rounds {
  readonly complete: Measured;
  /** Of each round, seconds until READY with the first rendition. */
  readonly ready: readonly number[];
}

const reference =
  'Reference: one ffmpeg process that encodes the renditions of the same plan (same sizes, preset, quality, maximum bitrates, keyframes ' +
  'and segments; fMP4 HLS with audio in every rendition), on all cores.';
const source =
  '(1080p30 with grain and audio) is uploaded over HTTP, with one worker process for all queues at default settings.';

export const ladderOfH264Figure: Figure = {
  name: 'ladder-h264',
  title: 'Upload accepted to all renditions, 60 s of 1080p30 H.264, one media worker, against one raw ffmpeg',
  target: { atMost: 1.12 },
  method:
    `A clip of 60 s in H.264 ${source} From its 201 to the first read with status READY where no rendition is still made. ${reference} Ours ` +
    'also copies the source to a first rendition, probes, creates the thumbnail and the previews, and checks and stores every segment.',
  measure: async (bench) => (await ingestRounds(bench, 'h264')).complete,
};

export const ladderOfHevcFigure: Figure = {
  name: 'ladder-hevc',
  title: 'The same in HEVC, which is first made quickly in 360p',
  target: { atMost: 1.3 },
  method: `The same clip in HEVC ${source} ${reference} Ours also encodes a first rendition of 360p.`,
  measure: async (bench) => (await ingestRounds(bench, 'hevc')).complete,
};

export const quickHevcFigure: Figure = {
  name: 'quick-hevc',
  title: 'Upload accepted to READY, 60 s of 1080p30 HEVC, against one raw ffmpeg for all renditions',
  target: { atMost: 0.5 },
  method: `In the same uploads: from the 201 to the first read with status READY, with one rendition. ${reference}`,
  async measure(bench) {
    const { ready, complete } = await ingestRounds(bench, 'hevc');
    const ours = medianOf(ready);
    const wholeLadder = complete.reference ?? Number.NaN;
    const note = `${ready.length} rounds, ${Math.min(...ready).toFixed(1)} to ${Math.max(...ready).toFixed(1)} s`;
    return { unit: 's', ours, reference: wholeLadder, result: ours / wholeLadder, note };
  },
};

function ingestRounds(bench: BenchContext, codec: Codec): Promise<Rounds> {
  return bench.once(`ladder-${codec}`, () => measure(bench, codec));
}

async function measure(bench: BenchContext, codec: Codec): Promise<Rounds> {
  const clip = await bench.clips[codec]();
  const service = await startService(bench);
  await bench.start('workers/main.js', service.environment);
  const ready: number[] = [];
  const ingest = async (onShare: (share: number) => void) => {
    const one = await upload(service, clip);
    ready.push(await untilReady(service, one));
    return { seconds: await untilComplete(service, one, onShare), one };
  };
  const { one } = await ingest(() => {});
  ready.length = 0;
  const plan = await planOf(service, one);
  const preset = service.ctx.config.media.encoderPreset;
  const complete = await sideBySide({
    unit: 's',
    rounds: bench.quick ? 1 : 3,
    ours: async (onShare) => (await ingest(onShare)).seconds,
    reference: (onShare) => encodeLadder(bench, clip, { plan, preset }, onShare),
    onProgress: bench.onProgress,
  });
  return { complete, ready };
}
