import type { Language } from '../../shared/platform/i18n.js';
import {
  laterSeconds,
  sandboxBehaviours,
  type SandboxBehaviour,
  type SandboxOrder,
} from '../../shared/payment/sandbox/orders.js';
import { checkoutStyle } from './checkout.style.js';
import { html, type Html } from './html.js';

/** What every page of the sandbox needs. */
export interface CheckoutFrame {
  readonly language: Language;
  /** Of the style that this one page may have. */
  readonly nonce: string;
  /** A sentence of the page, in its language. */
  readonly say: (key: string, values?: Readonly<Record<string, string | number>>) => string;
}

/** An order that can be paid: what it is, the buttons, and what may go wrong if one likes. */
export function checkoutPage(frame: CheckoutFrame, order: SandboxOrder): string {
  const { say } = frame;
  return documentOf(
    frame,
    say('title'),
    html`
      ${summary(frame, order)}
      <form method="post">
        <button class="main" name="action" value="pay">${say('pay', { amount: amountOf(frame, order) })}</button>
        <button name="action" value="later">${say('later', { seconds: laterSeconds })}</button>
        <button class="quiet" name="action" value="reject">${say('reject')}</button>
        <details>
          <summary>${say('trouble')}</summary>
          <p>${say('troubleText')}</p>
          <fieldset>
            <legend class="hidden">${say('trouble')}</legend>
            ${sandboxBehaviours.map((behaviour) => choice(frame, behaviour))}
          </fieldset>
        </details>
      </form>
    `,
  );
}

/** An order that is over, or none at all; the way back where there is one. */
export function notePage(
  frame: CheckoutFrame,
  note: 'unknown' | 'EXPIRED' | Exclude<SandboxOrder['state'], 'OPEN'>,
  order: SandboxOrder | null,
): string {
  const { say } = frame;
  const back = order && (note === 'APPROVED' || note === 'CAPTURED' ? order.returnUrl : order.cancelUrl);
  return documentOf(
    frame,
    say(`note.${note}`),
    html`
      ${order ? summary(frame, order) : []}
      <p class="note" role="status">${say(`note.${note}`)}</p>
      ${back === null ? [] : html`<a class="button" href="${back}">${say('back')}</a>`}
      ${note === 'CAPTURED' ? refundForm(frame) : []}
    `,
  );
}

function refundForm({ say }: CheckoutFrame): Html {
  return html`<form method="post">
    <button class="quiet" name="action" value="refund">${say('refund')}</button>
  </form>`;
}

function summary(frame: CheckoutFrame, order: SandboxOrder): Html {
  return html`
    <dl>
      <div>
        <dt>${frame.say('item')}</dt>
        <dd>${order.title}</dd>
      </div>
      <div>
        <dt>${frame.say('amount')}</dt>
        <dd class="amount">${amountOf(frame, order)}</dd>
      </div>
    </dl>
  `;
}

function choice({ say }: CheckoutFrame, behaviour: SandboxBehaviour): Html {
  const checked = behaviour === 'PLAIN' ? html` checked` : html``;
  return html`<label
    ><input type="radio" name="behaviour" value="${behaviour}" ${checked} /> ${say(`behaviour.${behaviour}`)}</label
  >`;
}

function amountOf({ language }: CheckoutFrame, { amountCents, currency }: SandboxOrder): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency, minimumFractionDigits: 2 }).format(
    amountCents / 100,
  );
}

function documentOf({ language, nonce, say }: CheckoutFrame, title: string, body: Html): string {
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
        <main>
          <header>
            <h1>${say('title')}</h1>
            <p class="sandbox">${say('sandbox')}</p>
          </header>
          ${body}
        </main>
      </body>
    </html> `.html;
}
