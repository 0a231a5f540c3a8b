import { vttTime } from '../media/vttTime.js';

/** A titled part of a content, from its start to the start of the next chapter. */
export interface Chapter {
  readonly startSeconds: number;
  readonly title: string;
}

/** Maximum number of chapters of a content. */
export const maxChapters = 500;
export const maxChapterTitleLength = 200;

/** The chapters in the source of a content. */
export interface SourceChapters {
  /** In the order of their times. */
  readonly chapters: readonly Chapter[];
  /** Number of omitted chapters above the maximum. */
  readonly leftOut: number;
}

/** The chapters of a content as a WebVTT file for a track of kind `chapters`. `escape` escapes cue text. */
export function chapterTrack(
  chapters: readonly Chapter[],
  durationMs: number,
  escape: (title: string) => string,
): string {
  const cues = chapters.map(({ startSeconds, title }, index) => {
    const endMs = (chapters[index + 1]?.startSeconds ?? durationMs / 1000) * 1000;
    return `\n${vttTime(startSeconds * 1000)} --> ${vttTime(endMs)}\n${escape(title)}\n`;
  });
  return `WEBVTT\n${cues.join('')}`;
}
