import type { Context } from '../../shared/platform/context.js';
import type { Language } from '../../shared/platform/i18n.js';
import { playerFolder } from './assets.js';
import { keysDialog, type PageText } from './embed.keys.js';
import { controlLabels } from './embed.labels.js';
import { html, type Html } from './html.js';
import { documentOf } from './page.js';
import { socialCard, type ShownItem } from './socialCard.js';

export interface PlayerPage extends ShownItem {
  readonly texts: PlayerTexts;
  /** Attributes of the player: what it plays. */
  readonly plays: Html;
  readonly controls: keyof typeof controls;
  /** Below the name of the publisher. */
  readonly heading?: Html;
  /** Shown over the video while there is nothing to play. */
  readonly overlay?: Html;
}

/** Texts of the page's own elements, and the labels of the controls, in the language of the page. */
export interface PlayerTexts {
  readonly words: Readonly<Record<(typeof playerWords)[number], string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly translate: PageText;
}

const playerWords = [
  'again',
  'unsupported',
  'broken',
  'noScript',
  'offline',
  'better.preparing',
  'better.ready',
  'live.waiting',
  'live.over',
  'live.paying',
  'live.returned',
  'paid.cancelled',
  'paid.failed',
  'paid.blocked',
  'cast.break',
  'cast.nothing',
] as const;

export function playerTexts(ctx: Context, language: Language): PlayerTexts {
  const translate: PageText = (key) => ctx.translate(language, `embed.${key}`);
  return {
    words: Object.fromEntries(playerWords.map((word) => [word, translate(word)])) as PlayerTexts['words'],
    labels: Object.fromEntries(Object.entries(controlLabels).map(([label, key]) => [label, translate(key)])),
    translate,
  };
}

/** The page with the player. It loads no media before the viewer starts to play. */
export function playerPage(page: PlayerPage): string {
  const { root, nonce, texts, title } = page;
  return documentOf(
    page,
    title,
    html`
      ${socialCard(page)}
      <script nonce="${nonce}" src="${root}${playerFolder}/player.js" type="module"></script>
    `,
    html`
      <main id="stage">
        <media-controller
          class="player ${page.controls}"
          id="player"
          data-words="${JSON.stringify(texts.words)}"
          data-labels="${JSON.stringify(texts.labels)}"
          ${page.plays}
          ${controllerSettings}
        >
          <video slot="media" playsinline preload="none" aria-label="${title}" ${posterOf(page)}></video>
          <header slot="top-chrome" class="heading">
            <h1>${title}</h1>
            <p>${page.publisher}</p>
            ${page.heading ?? []}
          </header>
          <media-loading-indicator slot="centered-chrome" noautohide></media-loading-indicator>
          <media-play-button slot="centered-chrome" class="start" notooltip></media-play-button>
          ${menus[page.controls]}
          <media-audio-track-menu anchor="auto" hidden>${noHeader}</media-audio-track-menu>
          <media-captions-menu anchor="auto" hidden>${noHeader}</media-captions-menu>
          <media-rendition-menu anchor="auto" aria-describedby="better" data-control="qualities" hidden
            ><p slot="header" class="better" id="better" data-control="better"></p
          ></media-rendition-menu>
          <media-control-bar class="position"><media-time-range></media-time-range></media-control-bar>
          <media-control-bar class="row">${controls[page.controls]}</media-control-bar>
        </media-controller>
        <div class="forced" data-control="forced"></div>
        ${page.overlay ?? []} ${keysDialog(texts.translate, page.controls === 'video')}
        <div class="notice" role="alert" data-control="notice" hidden>
          <p data-control="noticeText"></p>
          <button type="button" data-control="again" hidden>${texts.words.again}</button>
        </div>
        <noscript
          ><div class="notice"><p>${texts.words.noScript}</p></div></noscript
        >
      </main>
    `,
  );
}

/**
 * The keys left and right seek by 5 s, up and down change the volume by a tenth. Volume and quality are not stored in the
 * browser. The dialog of keys is our own: that of media-chrome exists in English only.
 */
const controllerSettings = html`
  hotkeys="noshift+/" keyboardbackwardseekoffset="5" keyboardforwardseekoffset="5" keyboardupvolumestep="0.1"
  keyboarddownvolumestep="0.1" novolumepref nomutedpref nosubtitleslangpref fullscreenelement="stage"
`;

const rightControls = html`
  <media-audio-track-menu-button></media-audio-track-menu-button>
  <media-captions-menu-button></media-captions-menu-button>
  <media-rendition-menu-button></media-rendition-menu-button>
  <media-airplay-button></media-airplay-button>
  <media-cast-button></media-cast-button>
  <media-pip-button></media-pip-button>
  <media-fullscreen-button></media-fullscreen-button>
`;

const leftControls = html`
  <media-play-button></media-play-button>
  <media-mute-button></media-mute-button>
  <media-volume-range></media-volume-range>
`;

const space = html`<div class="space"></div>`;

/** The buttons of each kind of page. */
const controls = {
  video: html`
    ${leftControls}<media-time-display showduration notoggle></media-time-display>${space}
    <media-playback-rate-menu-button></media-playback-rate-menu-button>
    ${rightControls}
  `,
  live: html`
    ${leftControls}
    <media-live-button></media-live-button>
    <media-seek-backward-button seekoffset="30"></media-seek-backward-button>
    ${space} ${rightControls}
  `,
  /** A viewer of a channel can go back as far as its playlist does, with the keys alone. */
  cast: html`${leftControls}<media-live-button></media-live-button>${space} ${rightControls}`,
};

/** In place of a button that leads back to another menu; there is none. */
const noHeader = html`<span slot="header" hidden></span>`;

/** Menus that only some kinds of pages have. What airs now is not played faster or slower. */
const menus = {
  video: html`
    <media-playback-rate-menu anchor="auto" rates="0.5 0.75 1 1.25 1.5 1.75 2" hidden
      >${noHeader}</media-playback-rate-menu
    >
  `,
  live: html``,
  cast: html``,
};

function posterOf({ poster }: PlayerPage): Html {
  return poster === null ? html`` : html` poster="${poster}"`;
}
