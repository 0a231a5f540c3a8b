import type { Context } from '../../shared/platform/context.js';
import type { Language } from '../../shared/platform/i18n.js';
import { playerFolder } from './assets.js';
import { controlsOf, type PlayedKind } from './embed.controls.js';
import { jumpSeconds, keysDialog, type PageText } from './embed.keys.js';
import { controlLabels } from './embed.labels.js';
import { html, type Html } from './html.js';
import { documentOf } from './pageFrame.js';
import { socialCard, type ShownItem } from './socialCard.js';

export interface PlayerPage extends ShownItem {
  readonly texts: PlayerTexts;
  /** Attributes of the player that name its media. */
  readonly plays: Html;
  readonly controls: PlayedKind;
  /** Shows a menu of the video's chapters. */
  readonly hasChapters?: boolean;
  /** Shown below the publisher's name. */
  readonly heading?: Html;
  /** Shown over the video while nothing can be played. */
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
  'live.live',
  'live.behind',
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
          ${controlsOf(page, texts.translate)}
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
 * The keys left and right seek by 5 s, up and down change the volume by a tenth. media-chrome would use the same step for J and L,
 * so the page handles these. Volume and quality are not stored in the browser. The page has its own dialog of keys, because the one
 * of media-chrome is only in English.
 */
const controllerSettings = html`
  data-jump="${jumpSeconds}" hotkeys="noj nol noshift+/" keyboardbackwardseekoffset="5" keyboardforwardseekoffset="5"
  keyboardupvolumestep="0.1" keyboarddownvolumestep="0.1" novolumepref nomutedpref nosubtitleslangpref
  fullscreenelement="stage"
`;

function posterOf({ poster }: PlayerPage): Html {
  return poster === null ? html`` : html` poster="${poster}"`;
}
