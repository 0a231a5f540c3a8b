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
/** The moment at which the long playlist begins to play, while it is being opened; null: it is not being opened. */
let openingAt = null;
/** The viewer has gone back, and not to the broadcast again. */
let isBack = false;
let isDragged = false;
const bar = control.window;
/** Seconds from the end of the playlist in which the LIVE button counts as pressed for a viewer who has not gone back. */
const liveEdgeOffset = player.getAttribute('liveedgeoffset');

/** To be called once. */
export function offerRewind(instance) {
  hls = instance;
  // What the browser plays by itself is not known well enough.
  if (!hls) return void (control.position.hidden = true);
  player.addEventListener('mediaseekrequest', seek, { capture: true });
  player.addEventListener('mediaseektoliverequest', goToLive, { capture: true });
  player.addEventListener('mediaplayrequest', resume, { capture: true });
  // The first picture of another playlist is shown.
  hls.on(Hls.Events.FRAG_CHANGED, () => (openingAt = null));
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
  openingAt = null;
  setRewound(false);
  setBack(false);
}

const fragments = () => hls.latestLevelDetails?.fragments ?? [];
/** Only this service has the long playlist. */
const hasLongList = () => status.address.startsWith('/');

/** The moment that is on air. */
const edge = () => momentOnAir(hls) ?? now();

/** The moment that is shown, or will be. */
const playing = () => openingAt ?? ((video.played.length > 0 && hls.playingDate?.getTime()) || edge());

/** The first moment that the viewer can go back to. */
function start() {
  const listed = fragments()[0]?.programDateTime ?? edge();
  const listsAll = (isRewound && openingAt === null) || !hasLongList();
  return listsAll ? listed : Math.min(listed, firstMoment(status, edge()));
}

function showPosition() {
  // While the long playlist is being opened, nothing is known about it.
  if (isDragged || openingAt !== null) return;
  if (isBack && (secondsBehind(hls) ?? Infinity) < edgeSeconds) setBack(false);
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
  const isListed = isRewound && openingAt === null && event.detail >= first;
  if (isListed && event.detail <= video.currentTime) return setBack(true);
  event.stopImmediatePropagation();
  return goTo(momentOf({ target: targetOf(event), position: video.currentTime, playing: playing() }));
}

/** The position that a button knows may be late, and is 0 while a playlist is being opened. */
function targetOf({ target: { localName, seekOffset }, detail }) {
  if (localName === 'media-seek-backward-button') return video.currentTime - seekOffset;
  return localName === 'media-seek-forward-button' ? video.currentTime + seekOffset : detail;
}

function goTo(requested) {
  const moment = Math.max(start(), requested);
  if (moment > edge() - edgeSeconds * 1000) return void player.dispatchEvent(new CustomEvent('mediaseektoliverequest'));
  setBack(true);
  if (openingAt !== null) beginAt(moment);
  else if (!isRewound && hasLongList()) openLong(moment);
  else if (fragments().length > 0) video.currentTime = positionOf(fragments(), moment);
  return undefined;
}

function goToLive(event) {
  setBack(false);
  if (openingAt === null) return;
  event.stopImmediatePropagation();
  beginAt(edge() - edgeSeconds * 1000);
}

/** After a pause, the short playlist may not reach back to what the viewer saw last. */
function resume(event) {
  const isListed = playing() >= (fragments()[0]?.programDateTime ?? 0);
  if (isRewound || !hasLongList() || isListed) return;
  event.stopImmediatePropagation();
  setBack(true);
  openLong(Math.max(start(), playing()));
}

function openLong(moment) {
  setRewound(true);
  openingAt = moment;
  hls.once(Hls.Events.LEVEL_LOADED, () => openingAt !== null && beginAt(openingAt));
  open(`${status.address}?dvr=1`);
  playOrMute();
}

/** Where the long playlist begins to play, also when another moment was requested while it was being opened. */
function beginAt(moment) {
  openingAt = moment;
  if (fragments().length === 0) return;
  const position = positionOf(fragments(), moment);
  hls.stopLoad();
  hls.startLoad(position);
  if (video.readyState > 0) video.currentTime = position;
}

/** What the viewer has gone back to is not called live, however near it is. */
function setBack(back) {
  isBack = back;
  player.setAttribute('liveedgeoffset', back ? '0' : liveEdgeOffset);
}

/** media-chrome permits to go back where there is a window. */
function setRewound(rewound) {
  isRewound = rewound;
  video.targetLiveWindow = rewound ? Infinity : 0;
  video.dispatchEvent(new Event('targetlivewindowchange'));
}
