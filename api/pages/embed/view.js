/* Writes the state of the player into the page. */
import { control, duration, state, player, video, words } from './page.js';

const idleMilliseconds = 2800;

/** States: `fresh` (the start button), `waiting`, `playing`, `stopped` (a notice). */
export function show(name) {
  player.dataset.state = name;
}

export function say(text, again = false) {
  show('stopped');
  control.noticeText.textContent = text;
  control.again.hidden = !again;
  control.notice.hidden = false;
  wake();
}

function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds || 0));
  const two = (part) => String(part).padStart(2, '0');
  const [hours, minutes, left] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(left)}` : `${minutes}:${two(left)}`;
}

export function showTime() {
  const all = duration();
  const at = state.dragging ? Number(control.seek.value) : video.currentTime;
  control.seek.max = String(all || 1);
  if (!state.dragging) control.seek.value = String(at);
  control.seek.setAttribute('aria-valuetext', `${clock(at)} / ${clock(all)}`);
  control.seek.style.setProperty('--filled', `${all ? (at / all) * 100 : 0}%`);
  control.current.textContent = clock(at);
  control.total.textContent = ` / ${clock(all)}`;
  showLoaded(all);
}

function showLoaded(all) {
  const { buffered, currentTime } = video;
  for (let index = 0; index < buffered.length; index += 1) {
    if (buffered.start(index) <= currentTime + 0.1 && currentTime <= buffered.end(index)) {
      control.seek.style.setProperty('--loaded', `${all ? (buffered.end(index) / all) * 100 : 0}%`);
    }
  }
}

export function showPlaying() {
  press(control.play, !video.paused, words.pause, words.play);
  wake();
}

export function showVolume() {
  const silent = video.muted || video.volume === 0;
  press(control.mute, silent, words.unmute, words.mute);
  control.volume.value = String(silent ? 0 : video.volume);
  control.volume.style.setProperty('--filled', `${silent ? 0 : video.volume * 100}%`);
}

export function showFullscreen() {
  press(control.fullscreen, document.fullscreenElement === player, words.leaveFullscreen, words.fullscreen);
}

/** The label names the effect of the button. `aria-pressed` would repeat the state to screen readers, so it is not set. */
function press(button, pressed, nameWhenPressed, name) {
  button.dataset.pressed = String(pressed);
  button.setAttribute('aria-label', pressed ? nameWhenPressed : name);
  button.title = pressed ? nameWhenPressed : name;
}

let idleTimer = 0;

/** Shows the controls again. */
export function wake() {
  delete player.dataset.idle;
  clearTimeout(idleTimer);
  idleTimer = setTimeout(rest, idleMilliseconds);
}

/** Hides the controls while the video plays, unless the viewer is using them. */
function rest() {
  const inUse = player.querySelector('.controls :focus-visible, .quality:focus');
  if (!video.paused && !state.dragging && !inUse) player.dataset.idle = '';
}
