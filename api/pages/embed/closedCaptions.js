/* Closed captions in the video of a live stream, which hls.js reads. The playlist names them; none of them says its language. */
import { Hls } from 'hls.js';

/**
 * hls.js 1.7 takes the next part of a segment for a gap, and forgets the captions that have begun before it. And it shows captions only of
 * segments without audio.
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

/** Settings of hls.js. Without the second one, it calls their language English. */
export const closedCaptions = {
  timelineController: ClosedCaptionController,
  captionsTextTrack1LanguageCode: '',
  captionsTextTrack2LanguageCode: '',
};
