/* The renditions of hls.js as `media.videoRenditions`, with which media-chrome lists and selects them. */
import { control, video } from './playerPage.js';

/** A list with events, like `media.audioTracks`. The index -1 means automatic selection. */
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

  /** Replaces the list. A selected height stays selected if the new list contains it. */
  replace(renditions) {
    const height = this.#renditions[this.#selectedIndex]?.height;
    for (const index of this.#renditions.keys()) delete this[index];
    this.#renditions = renditions;
    this.#selectedIndex = renditions.findIndex((rendition) => rendition.height === height);
    Object.assign(this, renditions);
    this.dispatchEvent(new Event('addrendition'));
  }
}

const renditions = new VideoRenditions();
video.videoRenditions = renditions;

/**
 * Lists the levels of a playlist. A selected level is used from the next segment on, without an interruption. A single level is
 * listed only below a note about the qualities.
 */
export function listQualities(hls) {
  const listed = hls.levels.length > 1 || control.better.textContent !== '' ? hls.levels : [];
  renditions.select = (index) => {
    hls.nextLevel = index;
  };
  renditions.replace(listed.map(({ width, height, bitrate }, id) => ({ id: String(id), width, height, bitrate })));
  if (renditions.selectedIndex >= 0) hls.nextLevel = renditions.selectedIndex;
}
