/*
 * The seek bar of a live event, from the start of the rewind range until now. A stream is opened with its short playlist. The long
 * one (`?dvr=1`) is opened when the viewer seeks back for the first time.
 */
import { Hls } from 'hls.js';
import { isAtEdge, momentOnAir, secondsBehind, wordsBehind } from './behind.js';
import { now, status } from './follow.js';
import { clockBehind, firstMoment, momentOf, positionOf } from './liveState.js';
import { control, player, video, words } from './playerPage.js';
import { open, playOrMute } from './source.js';

/** A seek that ends nearer to the live edge goes to the live edge. */
const edgeSeconds = 5;

let hls = null;
let isRewound = false;
/** The start time of the playback while the long playlist is being opened; null: it is not being opened. */
let openingAt = null;
/** The viewer has rewound, and has not returned to the live edge. */
let isBack = false;
let isDragged = false;
const bar = control.window;
/** Distance to the end of the playlist, in seconds, within which the LIVE button is active for a viewer who has not rewound. */
const liveEdgeOffset = player.getAttribute('liveedgeoffset');

/** Call it once. */
export function offerRewind(instance) {
  hls = instance;
  // The browser's own HLS does not provide the times that are needed.
  if (!hls) return void (control.position.hidden = true);
  player.addEventListener('mediaseekrequest', seek, { capture: true });
  player.addEventListener('mediaseektoliverequest', goToLive, { capture: true });
  player.addEventListener('mediaplayrequest', resume, { capture: true });
  // A frame of the opened playlist is visible.
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

/** Call it when another stream was opened with its short playlist. */
export function resetRewind() {
  openingAt = null;
  setRewound(false);
  setBack(false);
}

const fragments = () => hls.latestLevelDetails?.fragments ?? [];
/** Only this service has the long playlist. */
const hasLongList = () => status.address.startsWith('/');

/** The time on air. */
const edge = () => momentOnAir(hls) ?? now();

/** The time that is shown, or will be after the playlist has been opened. */
const playing = () => openingAt ?? ((video.played.length > 0 && hls.playingDate?.getTime()) || edge());

/** The start of the rewind range. */
function start() {
  const listed = fragments()[0]?.programDateTime ?? edge();
  const listsAll = (isRewound && openingAt === null) || !hasLongList();
  return listsAll ? listed : Math.min(listed, firstMoment(status, edge()));
}

function showPosition() {
  // The position is unknown while the long playlist is being opened.
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

/** The keys left and right seek by the player's step, not by the bar's step of one second. */
function passOn(event) {
  if (['ArrowLeft', 'ArrowRight'].includes(event.key)) event.preventDefault();
}

/** Handles the buttons and keys that seek. In the long playlist, the player's own positions are used. */
function seek(event) {
  const first = fragments()[0]?.start ?? 0;
  const isListed = isRewound && openingAt === null && event.detail >= first;
  if (isListed && event.detail <= video.currentTime) return setBack(true);
  event.stopImmediatePropagation();
  return goTo(momentOf({ target: targetOf(event), position: video.currentTime, playing: playing() }));
}

/** Calculates the target of a button, whose own position may be outdated, and is 0 while a playlist is being opened. */
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

/** After a pause, the short playlist may no longer contain the viewer's position. */
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

/** Starts the long playlist at a time, also if another time was requested while it was being opened. */
function beginAt(moment) {
  openingAt = moment;
  if (fragments().length === 0) return;
  const position = positionOf(fragments(), moment);
  hls.stopLoad();
  hls.startLoad(position);
  if (video.readyState > 0) video.currentTime = position;
}

/** A position that the viewer has rewound to is never shown as live, however near it is. */
function setBack(back) {
  isBack = back;
  player.setAttribute('liveedgeoffset', back ? '0' : liveEdgeOffset);
}

/** media-chrome permits seeking only if the target live window is not zero. */
function setRewound(rewound) {
  isRewound = rewound;
  video.targetLiveWindow = rewound ? Infinity : 0;
  video.dispatchEvent(new Event('targetlivewindowchange'));
}
