import { expect } from 'chai';
import type { Content } from '../../shared/content/content.model.js';
import { CopyError, type CopyRefusal } from '../../workers/ingestion/copy/copyRefusal.js';
import { copySourceSegments } from '../../workers/ingestion/copy/copySourceSegments.js';
import { withCopyableSource, type CopyableSource } from '../../workers/ingestion/copy/openSource.js';
import { MediaFault, isMediaFailure } from '../../workers/media/index.js';
import type { WorkerContext } from '../../workers/runtime/workerContext.js';
import { singleTrackInitialisation } from '../../shared/media/mp4/index.js';
import { runTool, joinedInitialisation } from './media.js';

/** The outcome for a source to copy: `copied`, or the reason for the refusal. `fault`: it cannot be processed. */
export type CopyOutcome = 'copied' | 'fault' | CopyRefusal;

export interface DirectCopy {
  readonly outcome: CopyOutcome;
  readonly copyable: CopyableSource | null;
  /** The initialisation segment and all segments. */
  readonly media: Buffer;
  /** Sizes of the segments. */
  readonly segments: readonly number[];
}

type StoredSource = Pick<Content, 'sourceKey' | 'sourceBytes'>;

/** Copies a stored source as ingestion does, without a database and without playlists. */
export async function copyDirectly(ctx: WorkerContext, folder: string, stored: StoredSource): Promise<DirectCopy> {
  const parts: Buffer[] = [];
  const sizes: number[] = [];
  let copyable: CopyableSource | null = null;
  const run = { signal: new AbortController().signal };
  const result = (outcome: CopyOutcome): DirectCopy => {
    return { outcome, copyable, media: outcome === 'copied' ? Buffer.concat(parts) : Buffer.alloc(0), segments: sizes };
  };
  try {
    const refused = await withCopyableSource(ctx, stored as Content, run, async (source) => {
      copyable = source;
      await copySourceSegments(ctx, folder, source, run, async (segments, initialisation) => {
        if (parts.length === 0) parts.push(bothTracks(initialisation?.data ?? Buffer.alloc(0)));
        for (const { video, audio } of segments) {
          const segment = Buffer.concat([...video, ...audio]);
          parts.push(segment);
          sizes.push(segment.length);
        }
      });
      return null;
    });
    return result(refused?.refusal ?? 'copied');
  } catch (error) {
    if (error instanceof CopyError) return result(error.refusal);
    if (error instanceof MediaFault) return result('fault');
    if (isMediaFailure(error)) return result('copy');
    throw error;
  }
}

/** Joins the initialisation segments of video and audio. */
function bothTracks(init: Buffer): Buffer {
  return joinedInitialisation(singleTrackInitialisation(init, 'video'), singleTrackInitialisation(init, 'audio'));
}

/**
 * Checks that a player decodes every frame of the source from its copy, at equal times relative to the first frame. The
 * container's times are also compared: ffmpeg corrects times in the wrong order, and players do not.
 */
export async function expectSameFrames(source: string, copy: Buffer, stream: number): Promise<void> {
  const [original, copied, stored] = await Promise.all([
    framesOf(source, stream),
    framesOf(copy, 0),
    storedTimesOf(copy),
  ]);
  expect(copied.length, 'frames').to.equal(original.length);
  const wrong = copied.flatMap(({ hash, seconds }, frame) => {
    const expected = original[frame];
    const isSame = expected?.hash === hash && Math.abs(expected.seconds - seconds) < 0.002;
    return isSame ? [] : [{ frame, seconds, expected: expected?.seconds, isSameImage: expected?.hash === hash }];
  });
  expect(wrong.slice(0, 5), `${wrong.length} wrong frames`).to.deep.equal([]);
  const misplaced = stored.flatMap((seconds, frame) => {
    const shown = copied[frame]?.seconds;
    return shown !== undefined && Math.abs(shown - seconds) < 0.002 ? [] : [{ frame, seconds, shown }];
  });
  expect(misplaced.slice(0, 5), `${misplaced.length} frames with different container times`).to.deep.equal([]);
}

/** Container times of all frames, in decoding order. */
async function storedTimesOf(media: Buffer): Promise<number[]> {
  const options = ['-select_streams', 'v', '-show_entries', 'stream=time_base:frame=pts', '-of', 'compact=p=0:nk=1'];
  const lines = (await runTool('ffprobe', [...options, '-'], media)).trim().split('\n').filter(Boolean);
  const [numerator = 1, denominator = 1] = (lines.pop() ?? '').split('/').map(Number);
  // Frames with additional data have one more empty field.
  const ticks = lines.map((line) => Number.parseInt(line, 10));
  const [first = 0] = ticks;
  return ticks.map((tick) => ((tick - first) * numerator) / denominator);
}

/** Hash and time of every decoded frame, in presentation order. */
async function framesOf(media: string | Buffer, stream: number): Promise<{ hash: string; seconds: number }[]> {
  const options = ['-map', `0:${stream}`, '-fps_mode', 'passthrough', '-enc_time_base', '-1', '-f', 'framemd5', '-'];
  const input = Buffer.isBuffer(media) ? '-' : media;
  const printed = await runTool(
    'ffmpeg',
    ['-copyts', '-i', input, ...options],
    Buffer.isBuffer(media) ? media : undefined,
  );
  const lines = printed.split('\n');
  const [, numerator = '1', denominator = '1'] = /^#tb 0: (\d+)\/(\d+)/m.exec(printed) ?? [];
  const frames = lines
    .filter((line) => line.startsWith('0,'))
    .map((line) => line.split(',').map((field) => field.trim()))
    .map((fields) => ({ tick: Number(fields[2]), hash: fields.at(-1) ?? '' }));
  const first = frames[0]?.tick ?? 0;
  const tick = Number(numerator) / Number(denominator);
  return frames.map((frame) => ({ hash: frame.hash, seconds: (frame.tick - first) * tick }));
}
