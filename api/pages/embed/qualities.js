/* The renditions of hls.js, in the form in which media-chrome reads and selects them (`media.videoRenditions`). */
import { video } from './page.js';

/** A list with events, as `media.audioTracks` is one. An index of -1: selected automatically. */
class VideoRenditions extends EventTarget {
  #renditions = [];
  #selectedIndex = -1;
  /** Called when the viewer selects a rendition. */
  select = () => {};

  [Symbol.iterator]() {
    return this.#renditions.values();
  }

  get length() {
    return this.#renditions.length;
  }

  get selectedIndex() {
    return this.#selectedIndex;
  }

  set selectedIndex(index) {
    this.#selectedIndex = index;
    this.select(index);
    this.dispatchEvent(new Event('change'));
  }

  /** Replaces the list; the selection stays. */
  replace(renditions) {
    for (const index of this.#renditions.keys()) delete this[index];
    this.#renditions = renditions;
    Object.assign(this, renditions);
    this.dispatchEvent(new Event('addrendition'));
  }
}

const renditions = new VideoRenditions();
video.videoRenditions = renditions;

/** Lists the levels of a playlist. A level that the viewer selects is used from the next segment on, without a break. */
export function listQualities(hls) {
  const several = hls.levels.length > 1 ? hls.levels : [];
  renditions.select = (index) => {
    hls.nextLevel = index;
  };
  renditions.replace(several.map(({ width, height, bitrate }, id) => ({ id: String(id), width, height, bitrate })));
  if (renditions.selectedIndex >= 0) hls.nextLevel = Math.min(renditions.selectedIndex, hls.levels.length - 1);
}
