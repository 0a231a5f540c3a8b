import { bandwidthOf, originalAudio, variantPlaylist } from '../content/variantStreams.js';
import type { ListedSegment } from './listedSegment.js';
import { liveListName } from './liveAddress.js';
import type { LiveRendition } from './liveRendition.js';
import { liveSegmentSeconds } from '../media/segmentSeconds.js';

/** RFC 8216bis does not count the bit rate of a segment that is shorter than half the target duration. */
const shortestMicroseconds = (liveSegmentSeconds / 2) * 1e6;

/**
 * The master playlist of a live stream. `BANDWIDTH` is the maximum bit rate of the encoding, or that of the largest stored segment
 * if it is higher, which only happens in a copied rendition; `AVERAGE-BANDWIDTH` is measured from the stored segments. `query` is
 * appended to each address. The continuous form separates audio from video (`liveAddress.ts`). Closed captions are listed after the
 * encoder has sent the first: players that have read the playlist before do not offer them.
 */
export function liveMasterPlaylist(
  ladder: readonly LiveRendition[],
  segments: readonly ListedSegment[],
  { query = '', isContinuous = false }: { readonly query?: string; readonly isContinuous?: boolean } = {},
): string {
  const newestRun = segments.at(-1)?.runId;
  const measured = segments.filter(
    ({ runId, durationMicroseconds }) => runId === newestRun && durationMicroseconds >= shortestMicroseconds,
  );
  return variantPlaylist({
    alternateAudio: isContinuous ? [originalAudio] : [],
    closedCaptions: ladder[0]?.closedCaptions ?? [],
    variants: ladder.map(({ name, peakBitrate, frameRate, width, height, codecs }) => {
      const files = measured.flatMap(({ durationMicroseconds, renditions }) => {
        const file = renditions.find((one) => one.name === name);
        return file ? [{ bytes: file.bytes, durationSeconds: durationMicroseconds / 1e6 }] : [];
      });
      const { peak, average } = files.length > 0 ? bandwidthOf(files) : { peak: 0, average: peakBitrate };
      const uri = `${liveListName({ rendition: name, isContinuous })}.m3u8${query}`;
      const separate = isContinuous ? { audioGroup: originalAudio.group } : {};
      return {
        width,
        height,
        codecs,
        ...separate,
        uri,
        framesPerSecond: frameRate,
        average,
        peak: Math.max(peak, peakBitrate),
      };
    }),
  });
}
