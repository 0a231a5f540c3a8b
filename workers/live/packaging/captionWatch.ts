import {
  captionChannels,
  ChannelDivider,
  captionsOfFrame,
  type CaptionChannel,
} from '../../../shared/media/closedCaptions/index.js';
import type { MediaTag } from './mediaTag.js';

/** Of a video tag of FLV, before its NAL units. */
const headBytes = 5;

/**
 * Notes which channels of closed captions the video of a run has. They stay in all its renditions, copied or encoded; the master playlist
 * offers a channel when it has had a caption.
 */
export class CaptionWatch {
  readonly #divider = new ChannelDivider();
  #seen: readonly CaptionChannel[] = [];

  get seen(): readonly CaptionChannel[] {
    return this.#seen;
  }

  note(tag: MediaTag): void {
    if (tag.kind !== 'video') return;
    for (const { pairs } of captionsOfFrame(tag.payload.subarray(headBytes), tag.track.avc.lengthBytes))
      for (const pair of pairs) {
        const channel = this.#divider.channelOf(pair);
        if (channel === null || this.#seen.includes(channel)) continue;
        this.#seen = captionChannels.filter((one) => one === channel || this.#seen.includes(one));
      }
  }
}
