import {
  maxChapters,
  maxChapterTitleLength,
  type Chapter,
  type SourceChapters,
} from '../../shared/content/chapters.js';
import { openingOptions, MediaError, type MediaSource, type MediaRun, type MediaRunner } from '../media/index.js';

const noChapters: SourceChapters = { chapters: [], leftOut: 0 };
/** A larger table is damaged or malicious. */
const maxRead = 50_000;
const maxProcessorSeconds = 30;

class TooManyChapters extends Error {}

/**
 * Reads the chapters of a source, in times of its content, which begins at `startSeconds` of the source and lasts
 * `durationSeconds`. Resolves with no chapters if they cannot be read: the content plays without them.
 */
export async function readSourceChapters(
  runner: MediaRunner,
  source: MediaSource,
  content: { readonly demuxer: string; readonly startSeconds: number; readonly durationSeconds: number },
  run: MediaRun,
): Promise<SourceChapters> {
  const { demuxer, startSeconds, durationSeconds } = content;
  const entries = ['-show_entries', 'chapter=start_time:chapter_tags=title', '-of', 'compact=p=0'];
  const options = [...openingOptions(demuxer, source), ...entries, source.address];
  const byStart = new Map<number, Chapter>();
  let count = 0;
  const onLine = (line: string): void => {
    const read = /^start_time=(-?[\d.]+)(?:\|tag:title=(.*))?$/s.exec(line);
    if (!read) return;
    count += 1;
    if (count > maxRead) throw new TooManyChapters();
    const seconds = Math.max(0, Math.round((Number(read[1]) - startSeconds) * 1000) / 1000);
    if (seconds >= durationSeconds) return;
    // Of nested chapters, keep the innermost one that begins here.
    byStart.set(seconds, { startSeconds: seconds, title: titleOf(read[2] ?? '') || String(count) });
  };
  try {
    await runner.inspect(options, { ...run, maxProcessorSeconds, onLine });
  } catch (error) {
    if (run.signal.aborted || !(error instanceof MediaError || error instanceof TooManyChapters)) throw error;
    if (error instanceof MediaError) return noChapters;
  }
  const all = [...byStart.values()].toSorted((one, other) => one.startSeconds - other.startSeconds);
  return { chapters: all.slice(0, maxChapters), leftOut: Math.max(0, all.length - maxChapters) };
}

/** A title as ffprobe writes it (`-of compact`), on one line. */
function titleOf(escaped: string): string {
  const plain = escaped.replaceAll(/\\([nrtbf])/g, ' ').replaceAll(/\\(.)/g, '$1');
  const title = plain.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  // Removes half of a surrogate pair at the end.
  return title
    .slice(0, maxChapterTitleLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
}
