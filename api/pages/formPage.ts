import type { Language } from '../../shared/platform/i18n.js';
import { checkoutStyle } from './checkout.style.js';
import { html, type Html } from './html.js';

/** The document of a small page without scripts: a summary, a form, or a notice. `nonce` allows its inline style. */
export function formPageOf(
  { language, nonce }: { readonly language: Language; readonly nonce: string },
  title: string,
  main: Html,
): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style nonce="${nonce}">
          ${checkoutStyle}
        </style>
      </head>
      <body>
        <main>${main}</main>
      </body>
    </html> `.html;
}
