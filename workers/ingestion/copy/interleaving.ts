import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ChunkCursor, entriesAtOnce, type MovieTrack } from '../../../shared/media/mp4/index.js';

/** ffmpeg reads a file sequentially, unless one track is ahead of the other by more than this. */
const aheadSeconds = 1;
/** Maximum of media that ffmpeg would not read sequentially. It seeks for each second of them. */
const maxFarSeconds = 16;

/**
 * Whether ffmpeg reads video and audio of an MP4 nearly sequentially. If it does not, for example because all audio follows all
 * video, each seek would be a request to the object store. Throws DamagedMediaError.
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
