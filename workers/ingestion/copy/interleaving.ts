import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ChunkCursor, entriesAtOnce, type MovieTrack } from '../../../shared/media/mp4/index.js';

/** ffmpeg reads in the order of the file, unless one track is ahead of the other by more than this. */
const aheadSeconds = 1;
/** Media that ffmpeg would not read in the order of the file. For each second of them it seeks. */
const maxFarSeconds = 16;

/**
 * Whether ffmpeg reads video and audio of an MP4 about in the order of the file. Where it does not, for example because all of
 * the audio is behind all of the video, each seek would be a request to the object store. Throws DamagedMediaError.
 */
export async function isInterleaved(moov: Buffer, video: MovieTrack, audio: MovieTrack | null): Promise<boolean> {
  if (!audio) return true;
  const tracks = [new ChunkCursor(moov, video), new ChunkCursor(moov, audio)] as const;
  let farSeconds = 0;
  for (let chunk = 1; farSeconds <= maxFarSeconds; chunk += 1) {
    const [first, second] = tracks;
    if (first.isAtEnd || second.isAtEnd) return true;
    const [next, other] = first.offset < second.offset ? [first, second] : [second, first];
    const limit = other.startSeconds + aheadSeconds;
    if (next.lastSeconds > limit) farSeconds += next.endSeconds - Math.max(next.startSeconds, limit);
    next.advance();
    if (chunk % entriesAtOnce === 0) await yieldToEventLoop();
  }
  return false;
}
