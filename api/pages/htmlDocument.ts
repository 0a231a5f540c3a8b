import { faviconAddress } from './favicon.js';
import { html, type Html } from './html.js';

export interface DocumentParts {
  /** Language of the texts: `en`. */
  readonly language: string;
  /** Language and region with which scripts format values: `de-CH`. */
  readonly locale?: string;
  readonly title: string;
  readonly colorScheme: 'dark' | 'light dark';
  /** The page also covers the screen areas around a camera notch. */
  readonly coversScreen?: boolean;
  /** Page-specific elements of the head, such as a style. */
  readonly head: Html;
  readonly body: Html;
}

/** The HTML document around every page of the service. */
export function htmlDocument(parts: DocumentParts): string {
  const { language, locale = language, title, colorScheme, coversScreen = false, head, body } = parts;
  const viewport = `width=device-width, initial-scale=1${coversScreen ? ', viewport-fit=cover' : ''}`;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="${viewport}" />
        <meta name="color-scheme" content="${colorScheme}" />
        <title>${title}</title>
        <link rel="icon" href="${faviconAddress}" />
        ${head}
      </head>
      <body data-locale="${locale}">
        ${body}
      </body>
    </html> `.html;
}
