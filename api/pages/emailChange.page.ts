import type { Language } from '../../shared/platform/i18n.js';
import { checkoutStyle } from './checkout.style.js';
import { html, type Html } from './html.js';

/** Language and policy of one response. */
export interface EmailFrame {
  readonly language: Language;
  /** Allows the inline style in the content security policy. */
  readonly nonce: string;
  /** A text of the page in its language. */
  readonly translate: (key: string) => string;
}

/** Asks for the confirmation of a new address. Only the form changes something: mail scanners follow links. */
export function emailQuestionPage(
  frame: EmailFrame,
  asked: { readonly userCode: string; readonly newEmail: string; readonly token: string },
): string {
  const { translate } = frame;
  return documentOf(
    frame,
    html`
      <dl>
        <div>
          <dt>${translate('account')}</dt>
          <dd>${asked.userCode}</dd>
        </div>
        <div>
          <dt>${translate('address')}</dt>
          <dd>${asked.newEmail}</dd>
        </div>
      </dl>
      <form method="post">
        <input type="hidden" name="token" value="${asked.token}" />
        <button class="main">${translate('confirm')}</button>
      </form>
    `,
  );
}

/** The result of a confirmation, or why there is nothing to confirm. */
export function emailNotePage(frame: EmailFrame, note: 'done' | 'invalid' | 'taken'): string {
  return documentOf(frame, html`<p class="note" role="status">${frame.translate(note)}</p>`);
}

function documentOf({ language, nonce, translate }: EmailFrame, body: Html): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${translate('title')}</title>
        <link rel="icon" href="data:," />
        <style nonce="${nonce}">
          ${checkoutStyle}
        </style>
      </head>
      <body>
        <main>
          <h1>${translate('title')}</h1>
          ${body}
        </main>
      </body>
    </html> `.html;
}
