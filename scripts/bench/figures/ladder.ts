import type { BenchContext } from '../benchContext.js';
import { medianOf, type Figure, type Measured } from '../figure.js';
import { planOf, untilComplete, untilFirstSegment, untilReady, upload } from '../ingest.js';
import { encodeLadder } from '../ladder.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

type Source = 'h264' | 'fitting' | 'hevc';

/** Uploads of one clip, beside one plain ffmpeg. */
interface Rounds {
  readonly complete: Measured;
  /** Of each round, seconds until the first segment was received, and until READY with the first rendition. */
  readonly firstSegment: readonly number[];
  readonly ready: readonly number[];
}

const reference =
  'Reference: one ffmpeg process that encodes the renditions of the same plan (same sizes, preset, quality, maximum bitrates, keyframes ' +
  'and segments; fMP4 HLS, the audio once and by itself), on all cores. It scales each rendition from the source; ours from the next larger one.';
const uploaded =
  '(1080p30 with grain and audio) is uploaded over HTTP, with one worker process for all queues at default settings.';

export const ladderOfH264Figure: Figure = {
  name: 'ladder-h264',
  title: 'Upload accepted to all renditions, 60 s of 1080p30 H.264, one media worker, against one raw ffmpeg',
  target: { atMost: 1.05 },
  method:
    `A clip of 60 s in H.264 ${uploaded} From its 201 to the first read with status READY where no rendition is still made. ${reference} Ours ` +
    'also copies the source to a first rendition, probes, creates the thumbnail and the previews, and checks and stores every segment.',
  measure: async (bench) => (await ingestRounds(bench, 'h264')).complete,
};

export const ladderOfCopyFigure: Figure = {
  name: 'ladder-fitting',
  title: 'The same, where the keyframes of the film are those of the grid, and its bit rate fits',
  target: { atMost: 0.6 },
  method: `The same clip at 4.5 Mbit/s with a keyframe every two seconds. Its highest rendition is the copy. ${reference}`,
  measure: async (bench) => (await ingestRounds(bench, 'fitting')).complete,
};

export const ladderOfHevcFigure: Figure = {
  name: 'ladder-hevc',
  title: 'The same in HEVC, which is first made quickly in 360p',
  target: { atMost: 1.15 },
  method: `The same clip in HEVC ${uploaded} ${reference} Ours decodes it twice: its 360p is made first.`,
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
    return { unit: 's', ours, reference: wholeLadder, result: ours / wholeLadder, note: rangeOf(ready) };
  },
};

export const hevcFirstSegmentFigure: Figure = {
  name: 'quick-hevc-segment',
  title: 'The same until its owner has received the first segment',
  target: { atMost: 3 },
  targetUnit: 's',
  method:
    'In the same uploads: from the 201 until `POST /api/box/{boxId}/play`, sent every 50 ms, gives a playlist whose first segment the owner has received.',
  async measure(bench) {
    const { firstSegment } = await ingestRounds(bench, 'hevc');
    const ours = medianOf(firstSegment);
    return { unit: 's', ours, reference: null, result: ours, note: rangeOf(firstSegment) };
  },
};

function rangeOf(seconds: readonly number[]): string {
  return `${seconds.length} rounds, ${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s`;
}

function ingestRounds(bench: BenchContext, source: Source): Promise<Rounds> {
  return bench.once(`ladder-${source}`, () => measure(bench, source));
}

async function measure(bench: BenchContext, source: Source): Promise<Rounds> {
  const clip = await bench.clips[source]();
  const service = await startService(bench);
  await bench.start('workers/main.js', service.environment);
  const firstSegment: number[] = [];
  const ready: number[] = [];
  const ingest = async (onShare: (share: number) => void) => {
    const one = await upload(service, clip);
    firstSegment.push(await untilFirstSegment(service, one));
    ready.push(await untilReady(service, one));
    return { seconds: await untilComplete(service, one, onShare), one };
  };
  const { one } = await ingest(() => {});
  firstSegment.length = 0;
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
  return { complete, firstSegment, ready };
}
