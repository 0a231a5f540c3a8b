/* What people do with the player, and what the film does by itself. */
import { control, duration, happened, player, video } from './page.js';
import { chooseQuality, open, play, toggle } from './source.js';
import { show, showFullscreen, showPlaying, showTime, showVolume, wake } from './view.js';

const stepSeconds = 5;
const stepVolume = 0.1;

function seekTo(seconds) {
  video.currentTime = Math.min(Math.max(0, seconds), Math.max(0, duration() - 0.1));
  if (!happened.asked) play();
  showTime();
}

function setVolume(volume) {
  video.volume = Math.min(1, Math.max(0, volume));
  video.muted = video.volume === 0;
}

function toggleSound() {
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
  m: toggleSound,
  f: toggleFullscreen,
};

/** Buttons, menus and the volume's slider know some keys by themselves. */
function onKey(event) {
  wake();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const pressesItself = event.key === ' ' && event.target.closest('button');
  const movesItself = event.target === control.volume && event.key.startsWith('Arrow');
  if (!act || pressesItself || movesItself || event.target.closest('select')) return;
  event.preventDefault();
  act();
}

/** A mouse plays and pauses; a finger starts, and later only brings the controls back. */
function onStage(event) {
  wake();
  if (event.pointerType !== 'touch' || !happened.asked) toggle();
}

function listenToPeople() {
  control.start.addEventListener('click', play);
  control.play.addEventListener('click', toggle);
  control.mute.addEventListener('click', toggleSound);
  control.fullscreen.addEventListener('click', toggleFullscreen);
  control.again.addEventListener('click', () => location.reload());
  control.volume.addEventListener('input', () => setVolume(Number(control.volume.value)));
  control.quality.addEventListener('change', chooseQuality);
  control.seek.addEventListener('input', () => {
    happened.dragging = true;
    showTime();
  });
  control.seek.addEventListener('change', () => {
    happened.dragging = false;
    seekTo(Number(control.seek.value));
  });
  video.addEventListener('click', onStage);
  document.addEventListener('keydown', onKey);
  document.addEventListener('fullscreenchange', showFullscreen);
  for (const kind of ['pointermove', 'pointerdown', 'focusin']) player.addEventListener(kind, wake);
}

function listenToFilm() {
  const on = (kinds, listen) => kinds.forEach((kind) => video.addEventListener(kind, listen));
  on(['play', 'pause'], showPlaying);
  on(['volumechange'], showVolume);
  on(['timeupdate', 'progress', 'durationchange', 'seeking'], showTime);
  on(['waiting', 'seeking', 'play'], () => {
    if (video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) show('waiting');
  });
  on(['playing', 'seeked', 'canplay'], () => {
    if (happened.asked && control.notice.hidden) show('playing');
  });
  on(['ended'], () => show('fresh'));
}

/** iPhones set the volume with their own keys, and have a full screen of their own. */
function hideWhatCannotBe() {
  video.volume = 0.5;
  control.volume.hidden = video.volume !== 0.5;
  video.volume = 1;
  control.fullscreen.hidden = !(document.fullscreenEnabled || video.webkitEnterFullscreen);
}

hideWhatCannotBe();
listenToPeople();
listenToFilm();
showTime();
showPlaying();
showVolume();
showFullscreen();
open(player.dataset.source);
