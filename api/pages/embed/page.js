/* What is in the page, and what has happened in it. The page is written by api/pages/embed.page.ts. */

export const player = document.getElementById('player');
export const video = player.querySelector('video');

/** Elements by what they are for. */
export const control = Object.fromEntries(
  [...player.querySelectorAll('[data-control]')].map((element) => [element.dataset.control, element]),
);

/** Everything the player says, in the reader's language. */
export const words = JSON.parse(player.dataset.words);

export const happened = {
  /** Somebody has asked to play: until then nothing but the list of renditions is loaded. */
  asked: false,
  /** The slider is being moved, and does not follow the film. */
  dragging: false,
};

/** Seconds; the film's own as soon as they are known. */
export function duration() {
  return Number.isFinite(video.duration) && video.duration > 0 ? video.duration : Number(player.dataset.seconds) || 0;
}
