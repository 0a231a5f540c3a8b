/* The embed player. Runs in the page that api/pages/embed.page.ts writes, after hls.js. */
(() => {
  const player = document.getElementById('player');
  const video = player.querySelector('video');
  const control = Object.fromEntries([...player.querySelectorAll('[data-control]')].map((element) => [element.dataset.control, element]));
  const words = JSON.parse(player.dataset.words);

  const idleMilliseconds = 2800;
  const stepSeconds = 5;
  const stepVolume = 0.1;
  /** An address that stops working is asked for anew, but not more often than this. */
  const renewMilliseconds = 30_000;

  let hls = null;
  let asked = false;
  /** Where to begin, in seconds; -1: at the start. */
  let beginAt = -1;
  let dragging = false;
  let renewedAt = -Infinity;
  let mediaFaults = 0;

  // --- Source -------------------------------------------------------------------------------------------------

  function open(address) {
    if (window.Hls && window.Hls.isSupported()) return openWithHls(address);
    if (video.canPlayType('application/vnd.apple.mpegurl')) {
      video.src = address;
      return undefined;
    }
    return say(words.unsupported);
  }

  /** Loads nothing but the list of renditions before somebody asks to play. */
  function openWithHls(address) {
    hls = new window.Hls({ autoStartLoad: false, capLevelToPlayerSize: true, backBufferLength: 60 });
    hls.on(window.Hls.Events.MANIFEST_PARSED, () => {
      listQualities();
      if (asked) begin();
    });
    hls.on(window.Hls.Events.LEVEL_SWITCHED, nameAutomaticQuality);
    hls.on(window.Hls.Events.ERROR, recover);
    hls.attachMedia(video);
    hls.loadSource(address);
    player.hls = hls;
  }

  /** A refusal will not pass by itself, so it is not waited out; of other faults only the fatal ones concern us. */
  function recover(_event, fault) {
    const status = fault.response ? fault.response.code : 0;
    const refused = status === 403 || status === 404 || status === 410;
    if (refused && performance.now() - renewedAt > renewMilliseconds) return void renew();
    if (!fault.fatal) return undefined;
    if (fault.type === window.Hls.ErrorTypes.MEDIA_ERROR && mediaFaults < 3) {
      mediaFaults += 1;
      return hls.recoverMediaError();
    }
    return say(words.broken, true);
  }

  /** The address has ended, as after a long pause: gets another, and goes on from where it was. */
  async function renew() {
    renewedAt = performance.now();
    const position = video.currentTime;
    try {
      const answer = await fetch(player.dataset.renew);
      // Not there any more: the page itself knows how to say that.
      if (answer.status === 404) return location.reload();
      const { playback } = await answer.json();
      if (!answer.ok || playback.result !== 'PLAY') return say(playback.message || words.broken, true);
      beginAt = position;
      if (hls) hls.loadSource(playback.path);
      else {
        video.src = playback.path;
        video.currentTime = position;
        await video.play();
      }
    } catch {
      say(words.broken, true);
    }
    return undefined;
  }

  function play() {
    const first = !asked;
    asked = true;
    if (first && hls && hls.levels.length > 0) begin();
    else video.play().catch(() => {});
  }

  function begin() {
    hls.startLoad(beginAt);
    video.play().catch(() => {});
  }

  function toggle() {
    if (video.paused) play();
    else video.pause();
  }

  // --- Qualities ----------------------------------------------------------------------------------------------

  function listQualities() {
    const select = control.quality;
    const chosen = select.value || '-1';
    const options = hls.levels.map((level, index) => ({ index, name: nameOf(level), height: level.height, bits: level.bitrate }));
    options.sort((one, other) => other.height - one.height || other.bits - one.bits);
    select.replaceChildren(option('-1', words.automatic), ...options.map(({ index, name }) => option(String(index), name)));
    select.value = chosen;
    if (select.value !== '-1') hls.nextLevel = Number(select.value);
    select.hidden = hls.levels.length < 2;
  }

  function option(value, text) {
    const element = document.createElement('option');
    element.value = value;
    element.textContent = text;
    return element;
  }

  /** A portrait film is named by its short side, as everywhere. */
  function nameOf(level) {
    const lines = Math.min(level.height, level.width) || level.height;
    return lines ? `${lines}p` : `${Math.round(level.bitrate / 1000)} kbit/s`;
  }

  function nameAutomaticQuality(_event, { level }) {
    const automatic = control.quality.options[0];
    if (automatic) automatic.textContent = hls.autoLevelEnabled ? `${words.automatic} (${nameOf(hls.levels[level])})` : words.automatic;
  }

  // --- What is shown ------------------------------------------------------------------------------------------

  function show(state) {
    player.dataset.state = state;
  }

  function say(text, again = false) {
    show('stopped');
    control.noticeText.textContent = text;
    control.again.hidden = !again;
    control.notice.hidden = false;
    wake();
  }

  function clock(seconds) {
    const whole = Math.max(0, Math.floor(seconds || 0));
    const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    const [hours, minutes, rest] = parts;
    const padded = String(rest).padStart(2, '0');
    return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`;
  }

  function duration() {
    return Number.isFinite(video.duration) && video.duration > 0 ? video.duration : Number(player.dataset.seconds) || 0;
  }

  function showTime() {
    const all = duration();
    const at = dragging ? Number(control.seek.value) : video.currentTime;
    control.seek.max = String(all || 1);
    if (!dragging) control.seek.value = String(at);
    control.seek.setAttribute('aria-valuetext', `${clock(at)} / ${clock(all)}`);
    control.seek.style.setProperty('--filled', `${all ? (at / all) * 100 : 0}%`);
    control.current.textContent = clock(at);
    control.total.textContent = ` / ${clock(all)}`;
    showLoaded(all);
  }

  function showLoaded(all) {
    for (let index = 0; index < video.buffered.length; index += 1) {
      if (video.buffered.start(index) <= video.currentTime + 0.1 && video.currentTime <= video.buffered.end(index)) {
        control.seek.style.setProperty('--loaded', `${all ? (video.buffered.end(index) / all) * 100 : 0}%`);
      }
    }
  }

  function showPlaying() {
    press(control.play, !video.paused, words.pause, words.play);
    wake();
  }

  function showVolume() {
    const silent = video.muted || video.volume === 0;
    press(control.mute, silent, words.unmute, words.mute);
    control.volume.value = String(silent ? 0 : video.volume);
    control.volume.style.setProperty('--filled', `${silent ? 0 : video.volume * 100}%`);
  }

  function showFullscreen() {
    press(control.fullscreen, document.fullscreenElement === player, words.leaveFullscreen, words.fullscreen);
  }

  /** The name says what pressing does; the state is for the eye alone, so it is not told twice. */
  function press(button, pressed, nameWhenPressed, name) {
    button.dataset.pressed = String(pressed);
    button.setAttribute('aria-label', pressed ? nameWhenPressed : name);
    button.title = pressed ? nameWhenPressed : name;
  }

  let idleTimer = 0;
  function wake() {
    delete player.dataset.idle;
    clearTimeout(idleTimer);
    idleTimer = setTimeout(rest, idleMilliseconds);
  }

  /** Controls go away while the film runs, unless somebody is using them. */
  function rest() {
    const inUse = player.querySelector('.controls :focus-visible, .quality:focus');
    if (!video.paused && !dragging && !inUse) player.dataset.idle = '';
  }

  // --- What people do -----------------------------------------------------------------------------------------

  function seekTo(seconds) {
    video.currentTime = Math.min(Math.max(0, seconds), Math.max(0, duration() - 0.1));
    if (!asked) play();
    showTime();
  }

  function setVolume(volume) {
    video.volume = Math.min(1, Math.max(0, volume));
    video.muted = video.volume === 0;
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
    m: () => (video.muted = !video.muted),
    f: toggleFullscreen,
  };

  function onKey(event) {
    wake();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const on = event.target;
    const pressesItself = event.key === ' ' && on.closest('button');
    const movesItself = on === control.volume && event.key.startsWith('Arrow');
    if (!act || pressesItself || movesItself || on.closest('select')) return;
    event.preventDefault();
    act();
  }

  /** A finger first brings the controls back; a mouse plays and pauses. */
  function onStage(event) {
    const wasIdle = 'idle' in player.dataset;
    wake();
    if (event.pointerType === 'touch' && (wasIdle || asked)) return;
    toggle();
  }

  control.start.addEventListener('click', play);
  control.play.addEventListener('click', toggle);
  control.mute.addEventListener('click', () => (video.muted = !video.muted));
  control.fullscreen.addEventListener('click', toggleFullscreen);
  control.again.addEventListener('click', () => location.reload());
  control.volume.addEventListener('input', () => setVolume(Number(control.volume.value)));
  control.quality.addEventListener('change', () => (hls.nextLevel = Number(control.quality.value)));
  control.seek.addEventListener('input', () => {
    dragging = true;
    showTime();
  });
  control.seek.addEventListener('change', () => {
    dragging = false;
    seekTo(Number(control.seek.value));
  });
  video.addEventListener('click', onStage);
  document.addEventListener('keydown', onKey);
  document.addEventListener('fullscreenchange', showFullscreen);
  for (const kind of ['pointermove', 'pointerdown', 'focusin']) player.addEventListener(kind, wake);

  video.addEventListener('play', showPlaying);
  video.addEventListener('pause', showPlaying);
  video.addEventListener('volumechange', showVolume);
  video.addEventListener('playing', () => {
    mediaFaults = 0;
    show('playing');
  });
  video.addEventListener('ended', () => {
    asked = true;
    show('fresh');
  });
  for (const kind of ['waiting', 'seeking', 'play']) {
    video.addEventListener(kind, () => video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA && show('waiting'));
  }
  for (const kind of ['seeked', 'canplay']) video.addEventListener(kind, () => asked && show('playing'));
  for (const kind of ['timeupdate', 'progress', 'durationchange', 'seeking']) video.addEventListener(kind, showTime);
  video.addEventListener('error', () => {
    if (hls) return;
    if (performance.now() - renewedAt > renewMilliseconds) void renew();
    else say(words.broken, true);
  });

  // iPhones play in their own full screen, and their volume is not ours to set.
  video.volume = 0.5;
  const canSetVolume = video.volume === 0.5;
  video.volume = 1;
  control.volume.hidden = !canSetVolume;
  control.fullscreen.hidden = !(document.fullscreenEnabled || video.webkitEnterFullscreen);

  showTime();
  showPlaying();
  showVolume();
  showFullscreen();
  open(player.dataset.source);
})();
