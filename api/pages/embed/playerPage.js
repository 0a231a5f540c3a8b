/* The elements of the page, as rendered by api/pages/embed.page.ts. */

export const stage = document.getElementById('stage');
/** The `media-controller`. */
export const player = document.getElementById('player');
export const video = player.querySelector('video');

/** Elements by their `data-control`. */
export const control = Object.fromEntries(
  [...stage.querySelectorAll('[data-control]')].map((element) => [element.dataset.control, element]),
);

/** Texts of the page, in its language. */
export const words = JSON.parse(player.dataset.words);

/** Shows an error instead of the video. */
export function say(text, again = false) {
  control.noticeText.textContent = text;
  control.again.hidden = !again;
  control.notice.hidden = false;
}

export function unsay() {
  control.notice.hidden = true;
}
