import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import accepts from 'accepts';
import Joi from 'joi';
import { withoutTrailing } from '../../shared/platform/formats/trailing.js';
import type { Context } from '../../shared/platform/context.js';
import type { Language } from '../../shared/platform/i18n.js';
import { idOrNil, nilUuid } from '../http/fields.js';
import type { RequestOf } from '../http/route.js';
import { playerFolder } from './assets.js';
import { html, type Html } from './html.js';
import { htmlDocument } from './htmlDocument.js';

/** Members that all pages of the player need. */
export interface PageFrame {
  /** Base path of the service: empty, or for example `/platform`. */
  readonly root: string;
  readonly language: Language;
  /** Language and region of prices, dates and times: `de-CH`. */
  readonly locale: string;
  /** Nonce of the scripts and styles that this page may use. */
  readonly nonce: string;
}

/** Pages use paths without a host, so that they work under every host name of the service. */
export function rootOf({ config }: Context): string {
  return new URL(config.service.publicUrl).pathname.replace(/\/$/, '');
}

export function pageFrame(
  request: Pick<RequestOf<unknown, unknown, unknown>, 'ctx' | 'language' | 'locale'>,
): PageFrame {
  const { ctx, language, locale } = request;
  return { root: rootOf(ctx), language, locale, nonce: randomBytes(16).toString('base64') };
}

/** The id of a page's item in the query; blank if not sent. */
export const pageItemId = idOrNil(Joi.string().max(100).allow('').default(''));
/** The id of a page's only possible item. If it is not sent, no item is found. */
export const onlyItemId = idOrNil(Joi.string().max(100).empty('')).default(() => nilUuid);

const posterWidth = 1280;

/** Path of a thumbnail as a poster; null: none. */
export function posterOf({ root }: Pick<PageFrame, 'root'>, thumbnailId: string | null): string | null {
  return thumbnailId && `${root}/asset/thumbnail/${thumbnailId}/${posterWidth}`;
}

/** A playback URL for a page: only the path, unless another host serves it; empty if there is none. */
export function pathOf({ config }: Context, address: string): string {
  const { delivery, edge } = config.playback;
  if (address === '' || (delivery === 'edge' && edge.url !== null)) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/**
 * The path of a playback URL at this service, also if an edge has another host, because browsers load tracks only from the page's
 * host.
 */
export function ownPathOf({ config: { playback, service } }: Context, address: string): string {
  const edgeUrl = playback.delivery === 'edge' ? playback.edge.url : null;
  const ownPath = withoutTrailing(new URL(service.publicUrl).pathname, '/');
  return ownPath + address.slice((edgeUrl ?? service.publicUrl).length);
}

/** The HTML document of a player page. */
export function documentOf(
  { root, language, locale, nonce }: PageFrame,
  title: string,
  head: Html,
  body: Html,
): string {
  return htmlDocument({
    ...{ language, locale, title, body, colorScheme: 'dark', coversScreen: true },
    head: html`
      <meta name="theme-color" content="#08090c" />
      <meta name="referrer" content="strict-origin-when-cross-origin" />
      <link nonce="${nonce}" rel="stylesheet" href="${root}${playerFolder}/player.css" />
      ${head}
    `,
  });
}

/** A link to the start page. It opens in a separate window, because other sites frame the player pages. */
export function startLink(ctx: Context, { root, language }: PageFrame): Html {
  const label = ctx.translate(language, 'errorPage.start');
  return html`<a class="button" href="${root}/" target="_blank" rel="noopener">${label}</a>`;
}

interface MessageParts {
  readonly title: string;
  readonly text: string | null;
  /** A link below the text. */
  readonly way?: Html;
}

/** A page with a message instead of the player. */
export function messagePage(page: PageFrame & MessageParts): string {
  return documentOf(
    page,
    page.title,
    html`<meta name="robots" content="noindex" />`,
    html`
      <main class="message">
        ${messageIcon}
        <h1>${page.title}</h1>
        ${page.text === null ? [] : html`<p>${page.text}</p>`} ${page.way ?? []}
      </main>
    `,
  );
}

const messageIcon = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  <rect x="2.5" y="5" width="19" height="14" rx="3" />
  <path d="m10 9.5 4.5 2.5L10 14.5Z" />
  <path d="m3.5 2.5 17 19" />
</svg>`;

interface SentPage {
  readonly status?: number;
  readonly policy: string;
  readonly page: string;
  /**
   * Only pages without text from the request may be compressed: otherwise the length reveals whether an attacker's text resembles a
   * secret in the page (BREACH).
   */
  readonly mayCompress?: boolean;
}

/** Sends a page in the language of the request, which no cache may store. */
export function sendPage(
  response: ServerResponse,
  { status = 200, policy, page, mayCompress = false }: SentPage,
): void {
  const isCompressed = mayCompress && accepts(response.req).encodings('gzip') === 'gzip';
  const bytes = isCompressed ? gzipSync(page) : Buffer.from(page);
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cache-Control', 'private, no-store');
  addVary(response, mayCompress ? ['Accept-Language', 'Accept-Encoding'] : ['Accept-Language']);
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

function addVary(response: ServerResponse, names: readonly string[]): void {
  const present = String(response.getHeader('Vary') ?? '').split(',');
  const all = [...present.map((name) => name.trim()).filter(Boolean), ...names];
  response.setHeader('Vary', [...new Set(all)].join(', '));
}
