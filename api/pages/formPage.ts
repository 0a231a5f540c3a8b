import type { Language } from '../../shared/platform/i18n.js';
import { checkoutStyle } from './checkout.style.js';
import { html, type Html } from './html.js';
import { htmlDocument } from './htmlDocument.js';

/** The document of a small page without scripts: a summary, a form, or a notice. `nonce` permits its inline style. */
export function formPageOf(
  { language, nonce }: { readonly language: Language; readonly nonce: string },
  title: string,
  main: Html,
): string {
  return htmlDocument({
    ...{ language, title, colorScheme: 'light dark' },
    head: html`
      <meta name="robots" content="noindex" />
      <style nonce="${nonce}">
        ${checkoutStyle}
      </style>
    `,
    body: html`<main>${main}</main>`,
  });
}
