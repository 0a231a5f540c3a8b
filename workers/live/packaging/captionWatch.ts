import {
  captionChannels,
  ChannelDivider,
  captionsOfFrame,
  type CaptionChannel,
} from '../../../shared/media/closedCaptions/index.js';
import type { MediaTag } from './mediaTag.js';

/** Bytes of an FLV video tag before its NAL units. */
const headBytes = 5;

/**
 * Detects the closed caption channels in the video of a run. They are kept in all renditions, copied or encoded; the master
 * playlist lists a channel after its first caption.
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
