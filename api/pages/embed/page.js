/* The elements of the page, which api/pages/embed.page.ts writes, and the state of the player. */

export const player = document.getElementById('player');
export const video = player.querySelector('video');

/** Elements by their `data-control`. */
export const control = Object.fromEntries(
  [...player.querySelectorAll('[data-control]')].map((element) => [element.dataset.control, element]),
);

/** All texts of the player, in the language of the page. */
export const words = JSON.parse(player.dataset.words);

export const state = {
  /** The viewer has started to play. Before that only the list of renditions is loaded. */
  started: false,
  /** The viewer is moving the slider, so it does not follow the video. */
  dragging: false,
};

/** In seconds; that of the video element as soon as it is known. */
export function duration() {
  return Number.isFinite(video.duration) && video.duration > 0 ? video.duration : Number(player.dataset.seconds) || 0;
}
