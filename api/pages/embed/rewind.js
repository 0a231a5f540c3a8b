/*
 * The bar of a live event, from the first moment that a viewer can go back to until now, and the way back. A stream is opened with its short
 * playlist. The long one (`?dvr=1`) is opened when the viewer goes back for the first time.
 */
import { Hls } from 'hls.js';
import { isAtEdge, momentOnAir, secondsBehind, wordsBehind } from './behind.js';
import { now, status } from './follow.js';
import { clockBehind, firstMoment, momentOf, positionOf } from './liveState.js';
import { control, player, video, words } from './playerPage.js';
import { open, playOrMute } from './source.js';

/** Nearer to the end, the bar leads to the broadcast itself. */
const edgeSeconds = 5;

let hls = null;
let isRewound = false;
let isDragged = false;
const bar = control.window;

/** To be called once. */
export function offerRewind(given) {
  hls = given;
  // What the browser plays by itself is not known well enough.
  if (!hls) return void (control.position.hidden = true);
  player.addEventListener('mediaseekrequest', seek, { capture: true });
  player.addEventListener('mediaplayrequest', resume, { capture: true });
  bar.addEventListener('input', () => {
    isDragged = true;
    showBar(-bar.value);
    showPreview(-bar.value);
  });
  bar.addEventListener('change', () => {
    isDragged = false;
    goTo(edge() + bar.value * 1000);
  });
  bar.addEventListener('keydown', passOn);
  bar.addEventListener(
    'pointermove',
    ({ offsetX }) => isDragged || showPreview((1 - offsetX / bar.clientWidth) * -bar.min),
  );
  for (const kind of ['pointerleave', 'change', 'blur'])
    bar.addEventListener(kind, () => (control.barTime.hidden = true));
  setInterval(showPosition, 500);
  return undefined;
}

/** Another stream was opened, with its short playlist. */
export function resetRewind() {
  setRewound(false);
}

const fragments = () => hls.latestLevelDetails?.fragments ?? [];
/** Only this service has the long playlist. */
const hasLongList = () => status.address.startsWith('/');

/** The moment that is on air. */
const edge = () => momentOnAir(hls) ?? now();

/** The moment that is shown. */
const playing = () => (video.played.length > 0 && hls.playingDate?.getTime()) || edge();

/** The first moment that the viewer can go back to. */
function start() {
  const listed = fragments()[0]?.programDateTime ?? edge();
  return isRewound || !hasLongList() ? listed : Math.min(listed, firstMoment(status, edge()));
}

function showPosition() {
  // While the long playlist is being opened it lists nothing, and the bar keeps its length.
  if (isDragged || (isRewound && fragments().length === 0)) return;
  bar.min = -Math.max(1, Math.round((edge() - start()) / 1000));
  showBar(isAtEdge() ? 0 : (secondsBehind(hls) ?? 0));
}

function showBar(seconds) {
  bar.value = -seconds;
  bar.setAttribute('aria-valuetext', isAtEdge() && !isDragged ? words['live.live'] : wordsBehind(seconds));
  bar.style.setProperty('--played', 1 - bar.value / bar.min);
}

function showPreview(seconds) {
  control.barTime.hidden = false;
  control.barTime.textContent = clockBehind(seconds);
  control.barTime.style.setProperty('--at', 1 + seconds / bar.min);
}

/** Left and right seek as they do without focus; the bar itself would go by a second. */
function passOn(event) {
  if (['ArrowLeft', 'ArrowRight'].includes(event.key)) event.preventDefault();
}

/** The buttons and keys that go back and forward. In the long playlist, positions are those of the player. */
function seek(event) {
  const first = fragments()[0]?.start ?? 0;
  if (isRewound && event.detail >= first && event.detail <= video.currentTime) return;
  event.stopImmediatePropagation();
  goTo(momentOf({ target: event.detail, position: video.currentTime, playing: playing() }));
}

function goTo(wanted) {
  const moment = Math.max(start(), wanted);
  if (moment > edge() - edgeSeconds * 1000) return void player.dispatchEvent(new CustomEvent('mediaseektoliverequest'));
  if (!isRewound && hasLongList()) openLong(moment);
  else if (fragments().length > 0) video.currentTime = positionOf(fragments(), moment);
  return undefined;
}

/** After a pause, the short playlist may not reach back to what the viewer saw last. */
function resume(event) {
  const isListed = playing() >= (fragments()[0]?.programDateTime ?? 0);
  if (isRewound || !hasLongList() || isListed) return;
  event.stopImmediatePropagation();
  openLong(Math.max(start(), playing()));
}

function openLong(moment) {
  setRewound(true);
  hls.once(Hls.Events.LEVEL_LOADED, (_event, { details }) => {
    hls.stopLoad();
    hls.startLoad(positionOf(details.fragments, moment));
  });
  open(`${status.address}?dvr=1`);
  playOrMute();
}

/** media-chrome permits to go back where there is a window. */
function setRewound(rewound) {
  isRewound = rewound;
  video.targetLiveWindow = rewound ? Infinity : 0;
  video.dispatchEvent(new Event('targetlivewindowchange'));
}
