import { CastCut, CastSlate } from '../../../shared/cast/cast.model.js';
import { requestCuts } from '../../../shared/cast/cut.service.js';
import { requestDefaultSlate } from '../../../shared/cast/slate.service.js';
import type { AiringSource } from '../../../shared/cast/playout/index.js';
import { segmentStart } from '../../../shared/media/grid.js';
import type { Content } from '../../../shared/content/content.model.js';
import { liveFileKey } from '../../../shared/streaming/liveRendition.js';
import { FragmentReader } from '../../../shared/media/mp4/index.js';
import type { TestContext } from '../context.js';
import { eventually } from '../eventually.js';
import { makeRun, makeSegment, makeStream } from '../liveStreams.js';
import { makeClip, runTool, settledContent, uploadClip } from '../media.js';
import { makeUser } from '../users.js';
import { startWorkers } from '../workers.js';
import type { Played } from './castFixture.js';
import { prepareAll } from './playoutFixture.js';

/*
 * Real media of all kinds that a channel plays, as different as possible: sizes, portrait, frame rates, kinds of audio,
 * segments with one and with many fragments.
 */

const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
const liveSeconds = 2;

const video = (size: string, rate: string, seconds: number): string[] => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds}`],
];
const audio = (source: string, seconds: number): string[] => ['-f', 'lavfi', '-i', `${source}:d=${seconds}`];

/** The sequence to play: 72 s with 14 joins. Workers upload, transcode and cut it. */
export async function makeUnlikeSources(ctx: TestContext): Promise<Played[]> {
  const ownerId = (await makeUser(ctx)).id;
  const workers = await startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status'] });
  try {
    const [wide, tall, fast, film, audioOnly] = await Promise.all([
      makeContent(ctx, ownerId, [...video('426x240', '25', 12), ...audio('sine=f=400:r=48000', 12), ...coding]),
      makeContent(ctx, ownerId, [...video('240x426', '30', 8), ...audio('sine=f=500:r=44100', 8), ...coding]),
      makeContent(ctx, ownerId, [...video('320x240', '60', 8), ...coding]),
      makeContent(ctx, ownerId, [
        ...video('426x182', '24000/1001', 9),
        ...audio('aevalsrc=sin(600*t)|sin(700*t):s=48000', 9),
        ...coding,
      ]),
      makeContent(ctx, ownerId, [...audio('sine=f=700:r=44100', 4), '-c:a', 'aac'], 'm4a'),
    ]);
    const cut = await makeCut(ctx, wide, 30, 95);
    const live = await makeLive(ctx, ownerId, 3);
    const slate = await slateOf(ctx);
    return [
      ...[segmentsOf(wide, 0, 2), cut, segmentsOf(tall, 0, 2), slate(4, 1), segmentsOf(fast, 0, 2)],
      ...[segmentsOf(film, 0, 2), live, segmentsOf(wide, 1, 2), slate(2, 1), segmentsOf(tall, 1, 1)],
      ...[
        segmentsOf(audioOnly, 0, 1),
        segmentsOf(fast, 1, 1),
        slate(0.5, 1),
        segmentsOf(film, 1, 1),
        segmentsOf(wide, 0, 2),
      ],
    ];
  } finally {
    await workers.close();
  }
}

async function makeContent(
  ctx: TestContext,
  ownerId: string,
  options: readonly string[],
  extension = 'mp4',
): Promise<Content> {
  const id = await uploadClip(ctx, ownerId, await makeClip(extension, options), `clip.${extension}`);
  const content = await eventually(() => settledContent(ctx, id), { timeoutMs: 90_000 });
  if (content.state !== 'READY') throw new Error(`not READY: ${content.failureDetail}`);
  return content;
}

function segmentsOf({ id, plan, readyGeneration }: Content, first: number, count: number): Played {
  if (!plan || readyGeneration === null) throw new Error('a content without a plan');
  const [rate, scale] = plan.frameRate;
  const frames = (segment: number): number => segmentStart(plan, segment + 1) - segmentStart(plan, segment);
  return {
    source: { kind: 'CONTENT', contentId: id, generation: readyGeneration, first },
    seconds: Array.from({ length: count }, (_, index) => (frames(first + index) * scale) / rate),
  };
}

async function makeCut(ctx: TestContext, content: Content, firstFrame: number, endFrame: number): Promise<Played> {
  const [rate = 1, scale = 1] = content.plan?.frameRate ?? [];
  const frames = { contentId: content.id, generation: content.readyGeneration ?? 0, firstFrame, endFrame };
  await requestCuts(ctx, [{ ...frames, neededUntil: new Date(ctx.clock.now().getTime() + 3_600_000) }]);
  await requestDefaultSlate(ctx);
  await prepareAll(ctx);
  const { id } = await ctx.db.model(CastCut).findOne({ where: { ...frames, state: 'READY' }, rejectOnEmpty: true });
  return {
    source: { kind: 'CUT', cutId: id, ...frames, first: 0 },
    seconds: [((endFrame - firstFrame) * scale) / rate],
  };
}

async function slateOf(ctx: TestContext): Promise<(lengthSeconds: number, count: number) => Played> {
  const { id } = await ctx.db.model(CastSlate).findOne({ where: { state: 'READY' }, rejectOnEmpty: true });
  return (lengthSeconds, count) => ({
    source: { kind: 'SLATE', slateId: id, lengthSeconds, first: 0 } satisfies AiringSource,
    seconds: Array.from({ length: count }, () => lengthSeconds),
  });
}

/** Segments of a stream with fragments of half a second, as packaging stores them. */
async function makeLive(ctx: TestContext, ownerId: string, count: number): Promise<Played> {
  const seconds = count * liveSeconds;
  const printed = await runTool('ffmpeg', [
    ...[...video('320x180', '30', seconds), ...audio('sine=f=900:r=48000', seconds), '-ac', '2', ...coding],
    ...['-bf', '2', '-g', String(30 * liveSeconds), '-sc_threshold', '0', '-x264-params', 'repeat-headers=1'],
    ...['-output_ts_offset', '1', '-avoid_negative_ts', 'disabled', '-use_editlist', '0', '-frag_duration', '500000'],
    ...['-movflags', '+empty_moov+default_base_moof+frag_keyframe+skip_trailer+frag_discont', '-f', 'mp4', 'pipe:1'],
  ]);
  const reader = new FragmentReader();
  const segments: Buffer[][] = [];
  for (const { data, video: frames } of reader.push(Buffer.from(printed, 'latin1'))) {
    if (frames?.isKeyframe) segments.push([]);
    segments.at(-1)?.push(...data);
  }
  const run = await makeRun(ctx, await makeStream(ctx, ownerId));
  const startsAtMs = ctx.clock.now().getTime();
  const put = (file: string, media: Buffer, contentType: string) =>
    ctx.storage.put(liveFileKey(run.folder, file), media, { contentType });
  let first = { sequence: 0, discontinuity: 0 };
  for (const [index, data] of segments.slice(0, count).entries()) {
    const startsAt = new Date(startsAtMs + index * liveSeconds * 1000);
    const numbers = await makeSegment(ctx, run, { startsAt, renditions: ['240p'] });
    if (index === 0 && numbers) first = numbers;
    await put(`240p-${startsAt.getTime()}-${run.runId.slice(0, 8)}.m4s`, Buffer.concat(data), 'video/iso.segment');
  }
  await put('init-240p-x264.mp4', reader.initialisation?.data ?? Buffer.alloc(0), 'video/mp4');
  const source = { kind: 'LIVE', sessionId: run.sessionId, discontinuity: first.discontinuity, first: first.sequence };
  return { source: source as AiringSource, seconds: Array.from({ length: count }, () => liveSeconds) };
}
