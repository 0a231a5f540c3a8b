import type { ProbedSource } from './probedSource.js';

/** Where audio begins earlier than video by this much or more, the content begins with the audio. */
export const leadingAudioSeconds = 0.25;

/** The time of a source at which its content begins, within a frame. */
export function contentStartSeconds({ video, audio }: Pick<ProbedSource, 'video' | 'audio'>): number {
  const audioStart = audio?.startSeconds ?? 0;
  const videoStart = video ? video.coded.startSeconds || 0 : audioStart;
  return audio && videoStart - audioStart >= leadingAudioSeconds ? audioStart : videoStart;
}
