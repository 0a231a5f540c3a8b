import { vttTime } from '../media/vttTime.js';

/** A part of a content with a title, from its start to that of the next one. */
export interface Chapter {
  readonly startSeconds: number;
  readonly title: string;
}

/** Of one content. */
export const maxChapters = 500;
export const maxChapterTitleLength = 200;

/** The chapters that the source of a content has. */
export interface SourceChapters {
  /** In the order of their times. */
  readonly chapters: readonly Chapter[];
  /** So many more than a content may have. */
  readonly leftOut: number;
}

/** The chapters of a content as a WebVTT file for a track of the kind `chapters`. `escape`: of the text of a cue. */
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
