import type { Language } from '../../shared/platform/i18n.js';
import { playerFolder } from './assets.js';
import { html, type Html } from './html.js';

/** Members that all pages of the player need. */
export interface PageFrame {
  /** Path in front of all paths of the service: empty, or for example `/platform`. */
  readonly root: string;
  readonly language: Language;
  /** Nonce of the scripts and styles that this page may run. */
  readonly nonce: string;
}

export interface PlayerPage extends PageFrame {
  readonly title: string;
  readonly description: string | null;
  readonly publisher: string;
  readonly seconds: number;
  /** Path of the poster; null: none. */
  readonly poster: string | null;
  /** Scheme and host, for the absolute URLs of link previews on other sites. */
  readonly origin: string;
  /** Path of the playlist. */
  readonly source: string;
  /** Path that returns a new playback URL when this one has expired. */
  readonly renew: string;
  readonly words: PlayerWords;
}

/** All texts of the player, in the language of the page. */
export type PlayerWords = Readonly<Record<(typeof playerWords)[number], string>>;

export const playerWords = [
  'play',
  'pause',
  'mute',
  'unmute',
  'volume',
  'seek',
  'quality',
  'automatic',
  'fullscreen',
  'leaveFullscreen',
  'again',
  'unsupported',
  'broken',
  'noScript',
] as const;

/** The page with the player. It loads no media before the viewer starts to play. */
export function playerPage(page: PlayerPage): string {
  const { root, nonce, words } = page;
  return documentOf(
    page,
    page.title,
    html`
      ${socialCard(page)}
      ${['page', 'view', 'source'].map((name) => html`<link nonce="${nonce}" rel="modulepreload" href="${root}${playerFolder}/${name}.js" />`)}
      <script nonce="${nonce}" src="${root}${playerFolder}/hls.js" defer></script>
      <script nonce="${nonce}" src="${root}${playerFolder}/player.js" type="module"></script>
    `,
    html`
      <main
        class="player"
        id="player"
        data-state="fresh"
        data-source="${page.source}"
        data-renew="${page.renew}"
        data-seconds="${page.seconds}"
        data-words="${JSON.stringify(words)}"
      >
        <video
          playsinline
          webkit-playsinline
          preload="none"
          tabindex="-1"
          aria-label="${page.title}"
          ${posterOf(page)}
        ></video>
        <header class="bar heading">
          <h1>${page.title}</h1>
          <p>${page.publisher}</p>
        </header>
        <div class="spinner"></div>
        <button class="start" type="button" data-control="start" aria-label="${words.play}">${icons.play}</button>
        ${controls(words)}
        <div class="notice" role="alert" data-control="notice" hidden>
          <p data-control="noticeText"></p>
          <button type="button" data-control="again" hidden>${words.again}</button>
        </div>
        <noscript
          ><div class="notice"><p>${words.noScript}</p></div></noscript
        >
      </main>
    `,
  );
}

/** A page with a message instead of the player. */
export function messagePage(page: PageFrame & { readonly title: string; readonly text: string | null }): string {
  return documentOf(
    page,
    page.title,
    html`<meta name="robots" content="noindex" />`,
    html`
      <main class="message">
        ${icons.message}
        <h1>${page.title}</h1>
        ${page.text === null ? [] : html`<p>${page.text}</p>`}
      </main>
    `,
  );
}

/** An HTML document around a body. */
export function documentOf({ root, language, nonce }: PageFrame, title: string, head: Html, body: Html): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="dark" />
        <meta name="theme-color" content="#08090c" />
        <meta name="referrer" content="strict-origin-when-cross-origin" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link nonce="${nonce}" rel="stylesheet" href="${root}${playerFolder}/player.css" />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `.html;
}

function posterOf({ poster }: PlayerPage): Html {
  return poster === null ? html`` : html` poster="${poster}"`;
}

/** Open Graph tags, for link previews on other sites. */
export function socialCard({
  title,
  description,
  poster,
  origin,
}: Pick<PlayerPage, 'title' | 'description' | 'poster' | 'origin'>): Html {
  return html`
    <meta property="og:type" content="video.other" />
    <meta property="og:title" content="${title}" />
    ${description === null ? [] : html`<meta property="og:description" content="${description}" /><meta name="description" content="${description}" />`}
    ${poster === null ? [] : html`<meta property="og:image" content="${origin + poster}" />`}
  `;
}

function controls(words: PlayerWords): Html {
  return html`
    <div class="bar controls">
      <input type="range" data-control="seek" min="0" max="1" step="0.1" value="0" aria-label="${words.seek}" />
      <div class="row">
        <button class="icon" type="button" data-control="play" aria-label="${words.play}">${icons.playOrPause}</button>
        <button class="icon" type="button" data-control="mute" aria-label="${words.mute}">${icons.audio}</button>
        <input
          class="volume"
          type="range"
          data-control="volume"
          min="0"
          max="1"
          step="0.05"
          value="1"
          aria-label="${words.volume}"
        />
        <div class="time"><span data-control="current">0:00</span><span data-control="total"></span></div>
        <div class="space"></div>
        <select class="quality" data-control="quality" aria-label="${words.quality}" hidden></select>
        <button class="icon" type="button" data-control="fullscreen" aria-label="${words.fullscreen}">
          ${icons.fullscreen}
        </button>
      </div>
    </div>
  `;
}

const icons = {
  play: html`<svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M8 5.1v13.8a.9.9 0 0 0 1.4.7l10-6.9a.9.9 0 0 0 0-1.4l-10-6.9A.9.9 0 0 0 8 5.1Z" />
  </svg>`,
  playOrPause: html`
    <svg class="on" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M8 5.1v13.8a.9.9 0 0 0 1.4.7l10-6.9a.9.9 0 0 0 0-1.4l-10-6.9A.9.9 0 0 0 8 5.1Z" />
    </svg>
    <svg class="off" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M7.5 4.5h2a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1Zm7 0h2a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1Z"
      />
    </svg>
  `,
  audio: html`
    <svg class="on" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M3 9.5v5h3.5L11 19V5L6.5 9.5H3Zm13.5 2.5a4.5 4.5 0 0 0-2.5-4v8a4.5 4.5 0 0 0 2.5-4ZM14 3.2v2.1a7 7 0 0 1 0 13.4v2.1a9 9 0 0 0 0-17.6Z"
      />
    </svg>
    <svg class="off" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M3 9.5v5h3.5L11 19V5L6.5 9.5H3Zm18.5.1-1.1-1.1-2.4 2.4-2.4-2.4-1.1 1.1 2.4 2.4-2.4 2.4 1.1 1.1 2.4-2.4 2.4 2.4 1.1-1.1-2.4-2.4 2.4-2.4Z"
      />
    </svg>
  `,
  fullscreen: html`
    <svg class="on" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 9V4h5v2H6v3H4Zm11-5h5v5h-2V6h-3V4ZM4 15h2v3h3v2H4v-5Zm14 0h2v5h-5v-2h3v-3Z" />
    </svg>
    <svg class="off" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M7 4h2v5H4V7h3V4Zm8 0h2v3h3v2h-5V4ZM4 15h5v5H7v-3H4v-2Zm11 0h5v2h-3v3h-2v-5Z" />
    </svg>
  `,
  message: html`<svg viewBox="0 0 24 24" aria-hidden="true">
    <rect x="2.5" y="5" width="19" height="14" rx="3" />
    <path d="m10 9.5 4.5 2.5L10 14.5Z" />
    <path d="m3.5 2.5 17 19" />
  </svg>`,
} as const;
