/* The menu of a video's chapters. A selected chapter plays from its start, also if the video was not started. */
import { createIndicator, createMenuItem } from 'media-chrome/dist/menu/media-chrome-menu.js';
import { formatTime } from 'media-chrome/dist/utils/time.js';
import { control, player, video } from './playerPage.js';

let items = [];

/** Call it whenever a chapter track was loaded. */
export function listChapters({ cues }) {
  const chapters = [...(cues ?? [])];
  items = chapters.map((cue) => itemOf(cue, chapters.at(-1).startTime));
  control.chapters.replaceChildren(...items);
  checkCurrent();
}

control.chapters?.addEventListener('toggle', checkCurrent);

function checkCurrent() {
  const current = items.findLast(({ value }) => Number(value) <= video.currentTime);
  for (const item of items) item.checked = item === current;
}

function itemOf(cue, lastTime) {
  const { startTime } = cue;
  const time = formatTime(startTime, lastTime);
  const item = createMenuItem({
    type: 'radio',
    text: `${time} ${cue.getCueAsHTML().textContent}`,
    value: String(startTime),
    checked: false,
  });
  item.prepend(createIndicator(control.chapters, 'checked-indicator'));
  item.addEventListener('click', () =>
    player.dispatchEvent(new CustomEvent('mediaseekrequest', { detail: startTime })),
  );
  return item;
}
