import type { Language } from '../../shared/platform/i18n.js';
import { formPageOf } from './formPage.js';
import { html, type Html } from './html.js';

/** Language and nonce of one response. */
export interface EmailFrame {
  readonly language: Language;
  /** Permits the inline style in the content security policy. */
  readonly nonce: string;
  /** A text of the page in its language. */
  readonly translate: (key: string) => string;
}

/** Asks for the confirmation of a new address. Only the form changes it, because mail scanners follow links. */
export function emailQuestionPage(
  frame: EmailFrame,
  requested: { readonly userCode: string; readonly newEmail: string; readonly token: string },
): string {
  const { translate } = frame;
  return documentOf(
    frame,
    html`
      <dl>
        <div>
          <dt>${translate('account')}</dt>
          <dd>${requested.userCode}</dd>
        </div>
        <div>
          <dt>${translate('address')}</dt>
          <dd>${requested.newEmail}</dd>
        </div>
      </dl>
      <form method="post">
        <input type="hidden" name="token" value="${requested.token}" />
        <button class="main">${translate('confirm')}</button>
      </form>
    `,
  );
}

/** The result of a confirmation, or the reason why none is possible. */
export function emailNotePage(frame: EmailFrame, note: 'done' | 'invalid' | 'taken'): string {
  return documentOf(frame, html`<p class="note" role="status">${frame.translate(note)}</p>`);
}

function documentOf(frame: EmailFrame, body: Html): string {
  const title = frame.translate('title');
  return formPageOf(
    frame,
    title,
    html`<h1>${title}</h1>
      ${body}`,
  );
}
