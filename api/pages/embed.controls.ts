import { jumpSeconds, type PageText } from './embed.keys.js';
import { html, type Html } from './html.js';

/** Kind of media: a video with a duration, a live event, or a channel with programs. */
export type PlayedKind = 'video' | 'live' | 'cast';

interface ShownControls {
  readonly controls: PlayedKind;
  /** Shows a menu of the video's chapters. */
  readonly hasChapters?: boolean;
}

/** Menus, seek bar and buttons. */
export function controlsOf({ controls, hasChapters = false }: ShownControls, text: PageText): Html {
  return html`
    ${controls === 'video' ? speedMenu : []} ${hasChapters ? chapterMenu(text) : []}
    <media-audio-track-menu anchor="auto" hidden>${noHeader}</media-audio-track-menu>
    <media-captions-menu anchor="auto" hidden>${noHeader}</media-captions-menu>
    <media-rendition-menu anchor="auto" aria-describedby="better" data-control="qualities" hidden
      ><p slot="header" class="better" id="better" data-control="better"></p
    ></media-rendition-menu>
    ${bars[controls](text)}
    <media-control-bar class="row">
      <media-play-button></media-play-button>
      <media-mute-button></media-mute-button>
      <media-volume-range></media-volume-range>
      ${controls === 'video' ? [] : liveControls} ${controls === 'cast' ? [] : jumps}
      ${controls === 'video' ? html`<media-time-display showduration notoggle></media-time-display>` : []}
      <div class="space"></div>
      ${trackButtons} ${hasChapters ? chapterButton(text) : []}
      ${controls === 'video' ? html`<media-playback-rate-menu-button></media-playback-rate-menu-button>` : []}
      <media-pip-button></media-pip-button>
      <media-fullscreen-button></media-fullscreen-button>
    </media-control-bar>
  `;
}

/** Buttons that appear when the playlist is loaded. They are first, so that they do not move the others. */
const trackButtons = html`
  <media-airplay-button></media-airplay-button>
  <media-cast-button></media-cast-button>
  <media-audio-track-menu-button></media-audio-track-menu-button>
  <media-captions-menu-button></media-captions-menu-button>
  <media-rendition-menu-button></media-rendition-menu-button>
`;

/** The page's script writes the viewer's delay behind the broadcast. */
const liveControls = html`
  <media-live-button></media-live-button>
  <span class="behind" role="timer" data-control="behind" hidden></span>
`;

const jumps = html`
  <media-seek-backward-button seekoffset="${jumpSeconds}"></media-seek-backward-button>
  <media-seek-forward-button seekoffset="${jumpSeconds}"></media-seek-forward-button>
`;

/** Replaces the header with a back button, because there are no submenus. */
const noHeader = html`<span slot="header" hidden></span>`;

/** For videos only: broadcasts always play at normal speed. */
const speedMenu = html`
  <media-playback-rate-menu anchor="auto" rates="0.5 0.75 1 1.25 1.5 1.75 2" hidden
    >${noHeader}</media-playback-rate-menu
  >
`;

const chapterMenu = (text: PageText): Html => html`
  <media-chrome-menu
    id="chapters"
    anchor="chapters-button"
    aria-label="${text('chapters')}"
    data-control="chapters"
    hidden
    >${noHeader}</media-chrome-menu
  >
`;

const chapterButton = (text: PageText): Html => html`
  <media-chrome-menu-button id="chapters-button" invoketarget="chapters" aria-label="${text('chapters')}">
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 5h2v2H4zm4 0h12v2H8zM4 11h2v2H4zm4 0h12v2H8zM4 17h2v2H4zm4 0h8v2H8z" />
    </svg>
    <span slot="tooltip-content">${text('chapters')}</span>
  </media-chrome-menu-button>
`;

/**
 * A live event has its own bar, in seconds before now, because its range grows. A channel has none: viewers can seek back only half
 * a minute.
 */
const bars: Readonly<Record<PlayedKind, (text: PageText) => Html>> = {
  video: () => html` <media-control-bar class="position"><media-time-range></media-time-range></media-control-bar> `,
  live: (text) => html`
    <media-control-bar class="position" data-control="position">
      <input
        type="range"
        class="window"
        data-control="window"
        min="-1"
        max="0"
        value="0"
        keysused="ArrowUp ArrowDown PageUp PageDown"
        aria-label="${text('seek')}"
      />
      <output class="bar-time" aria-hidden="true" data-control="barTime" hidden></output>
    </media-control-bar>
  `,
  cast: () => html``,
};
