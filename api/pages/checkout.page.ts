import { localMoney } from '../../shared/platform/formats/regionalFormat.js';
import type { Language } from '../../shared/platform/i18n.js';
import { laterSeconds } from '../../shared/payment/providers/sandbox/sandboxOrders.js';
import {
  sandboxBehaviours,
  type SandboxBehaviour,
  type SandboxOrder,
} from '../../shared/payment/providers/sandbox/sandbox.model.js';
import { formPageOf } from './formPage.js';
import { html, type Html } from './html.js';

/** Language and nonce of one response. */
export interface CheckoutFrame {
  readonly language: Language;
  /** Language and region of the amount: `de-CH`. */
  readonly locale: string;
  /** Permits the inline style in the content security policy. */
  readonly nonce: string;
  /** A text of the page in its language. */
  readonly translate: (key: string, values?: Readonly<Record<string, string | number>>) => string;
}

/** The page of an open order: summary, buttons, and the faults that can be simulated. */
export function checkoutPage(frame: CheckoutFrame, order: SandboxOrder): string {
  const { translate } = frame;
  return documentOf(
    frame,
    translate('title'),
    html`
      ${summary(frame, order)}
      <form method="post">
        <button class="main" name="action" value="pay">
          ${translate('pay', { amount: localMoney(order.amountCents, order.currency, frame.locale) })}
        </button>
        <button name="action" value="later">${translate('later', { seconds: laterSeconds })}</button>
        <button class="quiet" name="action" value="reject">${translate('reject')}</button>
        <details>
          <summary>${translate('trouble')}</summary>
          <p>${translate('troubleText')}</p>
          <fieldset>
            <legend class="hidden">${translate('trouble')}</legend>
            ${sandboxBehaviours.map((behaviour) => choice(frame, behaviour))}
          </fieldset>
        </details>
      </form>
    `,
  );
}

/** The page of a closed or unknown order, with a link back if the order exists. */
export function notePage(
  frame: CheckoutFrame,
  note: 'unknown' | 'EXPIRED' | Exclude<SandboxOrder['state'], 'OPEN'>,
  order: SandboxOrder | null,
): string {
  const { translate } = frame;
  const back = order && (note === 'APPROVED' || note === 'CAPTURED' ? order.returnUrl : order.cancelUrl);
  return documentOf(
    frame,
    translate(`note.${note}`),
    html`
      ${order ? summary(frame, order) : []}
      <p class="note" role="status">${translate(`note.${note}`)}</p>
      ${back === null ? [] : html`<a class="button" href="${back}">${translate('back')}</a>`}
      ${note === 'CAPTURED' ? refundForm(frame) : []}
    `,
  );
}

function refundForm({ translate }: CheckoutFrame): Html {
  return html`<form method="post">
    <button class="quiet" name="action" value="refund">${translate('refund')}</button>
  </form>`;
}

function summary(frame: CheckoutFrame, order: SandboxOrder): Html {
  return html`
    <dl>
      <div>
        <dt>${frame.translate('item')}</dt>
        <dd>${order.title}</dd>
      </div>
      <div>
        <dt>${frame.translate('amount')}</dt>
        <dd class="amount">${localMoney(order.amountCents, order.currency, frame.locale)}</dd>
      </div>
    </dl>
  `;
}

function choice({ translate }: CheckoutFrame, behaviour: SandboxBehaviour): Html {
  const checked = behaviour === 'PLAIN' ? html` checked` : html``;
  return html`<label
    ><input type="radio" name="behaviour" value="${behaviour}" ${checked} />
    ${translate(`behaviour.${behaviour}`)}</label
  >`;
}

function documentOf(frame: CheckoutFrame, title: string, body: Html): string {
  const header = html`<header>
    <h1>${frame.translate('title')}</h1>
    <p class="sandbox">${frame.translate('sandbox')}</p>
  </header>`;
  return formPageOf(frame, title, html`${header} ${body}`);
}
