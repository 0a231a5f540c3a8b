import type { VodWithBundle } from '../../shared/bundle/vodWithBundle.queries.js';
import type { DurationUnit } from '../../shared/platform/formats/period.js';
import type { Language } from '../../shared/platform/i18n.js';
import { html, type Html } from './html.js';

export interface PaidTexts {
  readonly title: string;
  readonly publisher: string;
  /** What is needed: a payment or a subscription. */
  readonly text: string;
  /** Label of the button that pays, with the price; null: it cannot be paid here. */
  readonly pay: string | null;
  /** The bundle with its price, and how one subscribes; empty: there is none. */
  readonly offer: readonly string[];
  /** Label of the button that plays the preview. */
  readonly preview: string;
}

/**
 * Shown over the preview of a video that must be paid for, until the preview plays and after its end. The script of the page
 * fills in how a payment goes on. While the preview plays, only the second button to pay is there.
 */
export function paidOverlay({ title, publisher, text, pay, offer, preview }: PaidTexts): Html {
  return html`
    <section class="overlay paid" data-control="overlay">
      <h1>${title}</h1>
      <p class="by">${publisher}</p>
      <p role="status" data-control="overlayText">${text}</p>
      ${offer.map((line) => html`<p>${line}</p>`)}
      <p class="offer">
        ${pay === null ? [] : html`<button type="button" data-control="pay">${pay}</button>`}
        <button type="button" class="quiet" data-control="preview">${preview}</button>
      </p>
    </section>
    ${pay === null ? [] : html`<button type="button" class="pay-now" data-control="payNow" hidden>${pay}</button>`}
  `;
}

const unitNames: Readonly<Record<DurationUnit, string>> = { DAYS: 'day', MONTHS: 'month', YEARS: 'year' };

/** Name, price and period of a bundle, formatted for the language: `Alps: 9,90 € / 30 giorni`. */
export function bundleOfferOf(
  bundle: NonNullable<VodWithBundle['bundle']>,
  language: Language,
  currency: string,
): string {
  const unit = { style: 'unit', unit: unitNames[bundle.durationUnit], unitDisplay: 'long' } as const;
  const period = new Intl.NumberFormat(language, unit).format(bundle.duration);
  return `${bundle.name}: ${moneyOf(bundle.priceCents, language, currency)} / ${period}`;
}

/** An amount, formatted for the language: `4,00 €`. */
export function moneyOf(cents: number, language: Language, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(cents / 100);
}
