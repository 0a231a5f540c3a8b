/* Closed captions in the video of a live stream, which hls.js reads. The playlist lists them, without their languages. */
import { Hls } from 'hls.js';

/**
 * Works around two faults of hls.js 1.7: it treats the next part of a segment as a gap and drops the captions that have started
 * before it, and it shows captions only of segments without audio.
 */
class ClosedCaptionController extends Hls.DefaultConfig.timelineController {
  onFragLoading(event, data) {
    const { frag, part } = data;
    const isNextPart = frag.sn === this.lastSn && part?.index === this.lastPartIndex + 1;
    if (frag.type === 'main' && isNextPart) this.lastSn = frag.sn - 1;
    super.onFragLoading(event, data);
  }

  onBufferAppended(event, data) {
    const { audiovideo } = data.timeRanges;
    const isBoth = data.type === 'audiovideo';
    super.onBufferAppended(event, isBoth ? { type: 'video', timeRanges: { video: audiovideo } } : data);
  }
}

/** Settings of hls.js. By default hls.js declares the languages as English and Spanish. */
export const closedCaptions = {
  timelineController: ClosedCaptionController,
  captionsTextTrack1LanguageCode: '',
  captionsTextTrack2LanguageCode: '',
};
