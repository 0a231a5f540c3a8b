import type { DurationUnit } from '../../shared/platform/formats/period.js';
import type { VodWithBundle } from '../../shared/bundle/vodWithBundle.queries.js';
import type { Language } from '../../shared/platform/i18n.js';
import { socialCard, type ShownItem } from './embed.page.js';
import { html } from './html.js';
import { documentOf } from './page.js';

export interface PaidPage extends ShownItem {
  /** The message that a payment or a subscription is needed. */
  readonly text: string;
  /** Price, or bundle with price and period; may be empty. */
  readonly offer: string;
}

/** A page for an item that must be paid for: it shows the item and its price, without a player. */
export function paidPage(page: PaidPage): string {
  const { title, publisher, poster, text, offer } = page;
  return documentOf(
    page,
    title,
    socialCard(page),
    html`
      <main class="message paid">
        ${poster === null ? [] : html`<img class="backdrop" src="${poster}" alt="" />`}
        <h1>${title}</h1>
        <p>${publisher}</p>
        <p>${text}</p>
        ${offer === '' ? [] : html`<p class="price">${offer}</p>`}
      </main>
    `,
  );
}

const unitNames: Readonly<Record<DurationUnit, string>> = { DAYS: 'day', MONTHS: 'month', YEARS: 'year' };

/** The price of a view, or name, price and period of the bundle, formatted for the language: `4,00 €`. */
export function offerOf(
  { pricePerViewCents, bundle }: Pick<VodWithBundle, 'pricePerViewCents' | 'bundle'>,
  language: Language,
  currency: string,
): string {
  if (pricePerViewCents !== null) return moneyOf(pricePerViewCents, language, currency);
  if (bundle === null) return '';
  const unit = { style: 'unit', unit: unitNames[bundle.durationUnit], unitDisplay: 'long' } as const;
  const period = new Intl.NumberFormat(language, unit).format(bundle.duration);
  return `${bundle.name}: ${moneyOf(bundle.priceCents, language, currency)} / ${period}`;
}

/** An amount, formatted for the language: `4,00 €`. */
export function moneyOf(cents: number, language: Language, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(cents / 100);
}
