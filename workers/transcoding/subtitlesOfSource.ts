import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addGeneratedCaption, maxCaptions } from '../../shared/caption/caption.service.js';
import { CaptionFileError, maxCaptionBytes, maxCues } from '../../shared/caption/cue.js';
import { readCaptions, type ReadCaptions } from '../../shared/caption/readCaptions.js';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import type { LeftOutReason, LeftOutSubtitles } from '../../shared/content/leftOutSubtitles.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { labelOfLanguage, languageTag, unknownLanguage } from '../../shared/platform/formats/language.js';
import {
  copiedSubtitles,
  copySubtitlesCommand,
  packetSizes,
  webVttCommand,
  webVttFile,
  type ProbedSource,
  type SubtitleStream,
} from '../media/index.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { copySeconds, unlessMediaFails, type CaptionSource, type MadeCaptions } from './captionSource.js';

const maxLabel = 100;
/** Maximum size of a stream, both in the source and as WebVTT, including markup and repeated cues. */
const maxStreamBytes = 2 * maxCaptionBytes;
/** Maximum size of one cue with its markup. ffmpeg's time is proportional to the square of the length: 0.1 s for this size. */
const maxPacketBytes = 64 * 1024;
/** MP4 has an empty packet between two cues; ASS may have the same cue in several layers. */
const maxPackets = 4 * maxCues;
/** Converting the largest stream to WebVTT takes 3 s. */
const decodingSeconds = 30;

/** Creates captions from the subtitle streams of a source. An unreadable stream is left out: the content plays without it. */
export async function makeSubtitles(
  run: JobRun<ContentPayload>,
  { path, folder, description, startMs }: CaptionSource,
): Promise<MadeCaptions> {
  const { ctx, payload, signal } = run;
  const { demuxer, subtitles } = description;
  if (subtitles.length === 0) return { added: 0, leftOut: [] };
  const streams = subtitles.slice(0, maxCaptions);
  const leftOut = subtitles.slice(maxCaptions).map((stream) => leftOutAs(stream, { reason: 'tooMany' }));
  const copy = copySubtitlesCommand({ folder, path, demuxer, streams, maxBytes: maxStreamBytes });
  await unlessMediaFails(run, folder, () =>
    ctx.media.runner.convert(copy, { signal, maxProcessorSeconds: copySeconds }),
  );
  let added = 0;
  for (const stream of streams) {
    const read = await cuesIn(run, folder, { stream, startMs });
    if (typeof read === 'string') leftOut.push(leftOutAs(stream, { reason: read }));
    else if (read.cues.length > 0) {
      const shownByDefault = isShownByDefault(stream, description);
      if (await addGeneratedCaption(ctx, payload.contentId, { ...describedBy(stream), shownByDefault, ...read }))
        added += 1;
      const { leftOutCues } = read;
      if (leftOutCues > 0) leftOut.push(leftOutAs(stream, { reason: 'unreadable', cues: leftOutCues }));
    }
  }
  return { added, leftOut };
}

/** The cues of a copied stream, or the reason why it is left out. */
async function cuesIn(
  run: JobRun<ContentPayload>,
  folder: string,
  { stream, startMs }: { readonly stream: SubtitleStream; readonly startMs: number },
): Promise<ReadCaptions | LeftOutReason> {
  const { runner } = run.ctx.media;
  const limits = { signal: run.signal, maxProcessorSeconds: decodingSeconds };
  const [copy, written] = [join(folder, copiedSubtitles(stream)), join(folder, webVttFile(stream))];
  try {
    const copiedBytes = await boundedSize(copy);
    const isRead = await unlessMediaFails(run, folder, async () => {
      if (copiedBytes > maxPacketBytes)
        await runner.inspect(packetSizes(stream, copy), { ...limits, onLine: packetCheck() });
      await runner.convert(webVttCommand(folder, stream, maxStreamBytes), limits);
    });
    if (!isRead) return 'unreadable';
    await boundedSize(written);
    return await readCaptions(withErrorListener(createReadStream(written)), { shiftMs: -startMs, isLenient: true });
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing) return 'unreadable';
    if (!(error instanceof CaptionFileError)) throw error;
    return error.reason === 'noCues' ? noCues : (reasons[error.reason] ?? 'unreadable');
  }
}

const noCues: ReadCaptions = { cues: [], leftOutCues: 0 };

const reasons: Partial<Record<CaptionFileError['reason'], LeftOutReason>> = {
  tooLarge: 'tooLarge',
  tooManyCues: 'tooManyCues',
  tooLongText: 'tooLongText',
};

/** Returns the size of a file. Throws CaptionFileError if the file has reached the limit, because its end may be missing. */
async function boundedSize(path: string): Promise<number> {
  const { size } = await stat(path);
  if (size >= maxStreamBytes) throw new CaptionFileError('tooLarge');
  return size;
}

/** Checks the number and sizes of packets. Throws CaptionFileError. */
function packetCheck(): (line: string) => void {
  let packets = 0;
  return (line) => {
    packets += 1;
    if (packets > maxPackets) throw new CaptionFileError('tooManyCues');
    if (Number.parseInt(line, 10) > maxPacketBytes) throw new CaptionFileError('tooLongText');
  };
}

function leftOutAs(stream: SubtitleStream, why: Omit<LeftOutSubtitles, 'label'>): LeftOutSubtitles {
  const { language, label = labelOfLanguage(language) } = describedBy(stream);
  return { label, ...why };
}

/** Without a choice of the author, programs mark the first track of an MP4, or all tracks of a Matroska file. */
function isShownByDefault({ isDefault }: SubtitleStream, { demuxer, subtitles }: ProbedSource): boolean {
  return isDefault && demuxer === 'matroska' && subtitles.some((other) => !other.isDefault);
}

function describedBy({ index, language, title, isForDeaf, isForced: forced }: SubtitleStream) {
  const label = title.trim().slice(0, maxLabel);
  return {
    ...{ origin: 'SOURCE' as const, stream: index, kind: isForDeaf ? ('captions' as const) : ('subtitles' as const) },
    ...{ language: languageTag(language) ?? unknownLanguage, forced },
    ...(label === '' ? {} : { label }),
  };
}
