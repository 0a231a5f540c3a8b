import type { ProbedSource } from './probedSource.js';

/** If audio begins at least this much earlier than video, the content begins with the audio. */
export const leadingAudioSeconds = 0.25;

/** The source time at which the content begins, to within one frame. */
export function contentStartSeconds({ video, audio }: Pick<ProbedSource, 'video' | 'audio'>): number {
  const audioStart = audio?.startSeconds ?? 0;
  const videoStart = video ? video.coded.startSeconds || 0 : audioStart;
  return audio && videoStart - audioStart >= leadingAudioSeconds ? audioStart : videoStart;
}
