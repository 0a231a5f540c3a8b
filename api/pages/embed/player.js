/* Handlers for events of the controls and of the video element. */
import { control, duration, state, player, video } from './page.js';
import { chooseQuality, open, play, toggle } from './source.js';
import { show, showFullscreen, showPlaying, showTime, showVolume, wake } from './view.js';

const stepSeconds = 5;
const stepVolume = 0.1;

function seekTo(seconds) {
  video.currentTime = Math.min(Math.max(0, seconds), Math.max(0, duration() - 0.1));
  if (!state.started) play();
  showTime();
}

function setVolume(volume) {
  video.volume = Math.min(1, Math.max(0, volume));
  video.muted = video.volume === 0;
}

function toggleMute() {
  video.muted = !video.muted;
}

function toggleFullscreen() {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  else if (player.requestFullscreen) player.requestFullscreen().catch(() => {});
  else if (video.webkitEnterFullscreen) video.webkitEnterFullscreen();
}

const keys = {
  ' ': toggle,
  k: toggle,
  ArrowLeft: () => seekTo(video.currentTime - stepSeconds),
  ArrowRight: () => seekTo(video.currentTime + stepSeconds),
  ArrowUp: () => setVolume(video.volume + stepVolume),
  ArrowDown: () => setVolume(video.volume - stepVolume),
  Home: () => seekTo(0),
  End: () => seekTo(duration()),
  m: toggleMute,
  f: toggleFullscreen,
};

/** Buttons, menus and the volume slider handle some keys themselves. */
function onKey(event) {
  wake();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const isButtonKey = event.key === ' ' && event.target.closest('button');
  const isSliderKey = event.target === control.volume && event.key.startsWith('Arrow');
  if (!act || isButtonKey || isSliderKey || event.target.closest('select')) return;
  event.preventDefault();
  act();
}

/** A click plays and pauses. A touch starts the video; later it only shows the controls. */
function onStage(event) {
  wake();
  if (event.pointerType !== 'touch' || !state.started) toggle();
}

function listenToControls() {
  control.start.addEventListener('click', play);
  control.play.addEventListener('click', toggle);
  control.mute.addEventListener('click', toggleMute);
  control.fullscreen.addEventListener('click', toggleFullscreen);
  control.again.addEventListener('click', () => location.reload());
  control.volume.addEventListener('input', () => setVolume(Number(control.volume.value)));
  control.quality.addEventListener('change', chooseQuality);
  control.seek.addEventListener('input', () => {
    state.dragging = true;
    showTime();
  });
  control.seek.addEventListener('change', () => {
    state.dragging = false;
    seekTo(Number(control.seek.value));
  });
  video.addEventListener('click', onStage);
  document.addEventListener('keydown', onKey);
  document.addEventListener('fullscreenchange', showFullscreen);
  for (const kind of ['pointermove', 'pointerdown', 'focusin']) player.addEventListener(kind, wake);
}

function listenToVideo() {
  const on = (kinds, listen) => kinds.forEach((kind) => video.addEventListener(kind, listen));
  on(['play', 'pause'], showPlaying);
  on(['volumechange'], showVolume);
  on(['timeupdate', 'progress', 'durationchange', 'seeking'], showTime);
  on(['waiting', 'seeking', 'play'], () => {
    if (video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) show('waiting');
  });
  on(['playing', 'seeked', 'canplay'], () => {
    if (state.started && control.notice.hidden) show('playing');
  });
  on(['ended'], () => show('fresh'));
}

/** On iPhones the volume cannot be set by a page, and full screen is a function of the video element. */
function hideUnsupportedControls() {
  video.volume = 0.5;
  control.volume.hidden = video.volume !== 0.5;
  video.volume = 1;
  control.fullscreen.hidden = !(document.fullscreenEnabled || video.webkitEnterFullscreen);
}

hideUnsupportedControls();
listenToControls();
listenToVideo();
showTime();
showPlaying();
showVolume();
showFullscreen();
open(player.dataset.source);
