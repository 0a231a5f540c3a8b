import { html, type Html } from './html.js';
import type { PageFrame } from './pageFrame.js';

/** The members of an item that every page shows. */
export interface ShownItem extends PageFrame {
  readonly title: string;
  readonly description: string | null;
  readonly publisher: string;
  /** Path of the poster; null: none. */
  readonly poster: string | null;
  /** URL of the page, for other sites (`embedUrl`). */
  readonly address: string;
}

/** Size of the player on other sites, in pixels. */
const frame = { width: 1280, height: 720 };

/** Metadata for other sites: canonical URL, a preview with the player (Open Graph, Twitter card), and oEmbed. */
export function socialCard({ title, description, poster, address, root }: ShownItem): Html {
  const { origin } = new URL(address);
  const oembed = `${origin}${root}/oembed?${new URLSearchParams({ url: address, format: 'json' }).toString()}`;
  const image = poster === null ? null : origin + poster;
  return html`
    <link rel="canonical" href="${address}" />
    <link rel="alternate" type="application/json+oembed" href="${oembed}" title="${title}" />
    <meta property="og:type" content="video.other" />
    <meta property="og:url" content="${address}" />
    <meta property="og:title" content="${title}" />
    ${description === null ? [] : html`<meta property="og:description" content="${description}" /><meta name="description" content="${description}" />`}
    ${image === null ? [] : html`<meta property="og:image" content="${image}" />`}
    <meta property="og:video" content="${address}" />
    <meta property="og:video:type" content="text/html" />
    <meta property="og:video:width" content="${frame.width}" />
    <meta property="og:video:height" content="${frame.height}" />
    <meta name="twitter:card" content="player" />
    <meta name="twitter:player" content="${address}" />
    <meta name="twitter:player:width" content="${frame.width}" />
    <meta name="twitter:player:height" content="${frame.height}" />
  `;
}
