import type { BundleDetails } from '../../shared/bundle/bundle.queries.js';
import type { VodWithBundle } from '../../shared/bundle/vodWithBundle.queries.js';
import type { EventDetails } from '../../shared/live/event.queries.js';
import { localMoney, localPeriod, localSeconds, localSpan } from '../../shared/platform/formats/regionalFormat.js';
import type { PlayResult } from '../../shared/playback/playResult.js';
import type { RequestOf } from '../http/route.js';
import { html, type Html } from './html.js';
import type { ShownItem } from './socialCard.js';

type Reading = Pick<RequestOf<unknown, unknown, unknown>, 'ctx' | 'language' | 'locale' | 'zone'>;

/** Label of a button that pays: `Pay €4.00`. */
export function payLabel({ ctx, language, locale }: Reading, cents: number): string {
  return ctx.translate(language, 'embed.paid.pay', { price: localMoney(cents, ctx.config.payments.currency, locale) });
}

/**
 * The overlay of a paid video: shown before and after the preview. The page's script fills in the state of a payment. While the
 * preview plays, only the second pay button is visible.
 */
export function paidOverlay(
  reading: Reading,
  { title, publisher, description }: Pick<ShownItem, 'title' | 'publisher' | 'description'>,
  { item, result }: { readonly item: VodWithBundle; readonly result: PlayResult['result'] },
): Html {
  const { ctx, language } = reading;
  const isSold = ctx.config.payments.provider !== 'none';
  const cents = isSold && result === 'PAYMENT_REQUIRED' ? item.pricePerViewCents : null;
  const pay = cents === null ? null : payLabel(reading, cents);
  return html`
    <section class="overlay paid" data-control="overlay">
      <h1>${title}</h1>
      <p class="by">${publisher}</p>
      ${descriptionOf(description)}
      <p role="status" data-control="overlayText">${ctx.translate(language, `embed.${result}`)}</p>
      ${isSold ? [] : html`<p>${ctx.translate(language, 'payment.none')}</p>`}
      ${pay === null ? [] : html`<p class="terms">${viewTerms(reading)}</p>`}
      ${isSold && item.bundle !== null ? bundleOffer(reading, item.bundle) : []}
      <p class="offer">
        ${pay === null ? [] : html`<button type="button" data-control="pay">${pay}</button>`}
        <button type="button" class="quiet" data-control="preview">
          ${ctx.translate(language, 'embed.paid.preview')}
        </button>
      </p>
    </section>
    ${pay === null ? [] : html`<button type="button" class="pay-now" data-control="payNow" hidden>${pay}</button>`}
  `;
}

/**
 * The part of the overlay below the title of a live event: description, times, countdown, terms of the sale, link to the recording.
 * The page's script rewrites the times in the viewer's time zone.
 */
export function eventParts(reading: Reading, { description, startsAt, endsAt }: EventDetails): Html {
  const { ctx, language, locale, zone } = reading;
  return html`
    ${descriptionOf(description)}
    <p>
      <time data-control="times" datetime="${startsAt.toISOString()}"
        >${localSpan(startsAt, endsAt, zone, locale)}</time
      >
    </p>
    <p class="countdown" role="timer" data-control="countdown" hidden></p>
    <div class="offer" data-control="offer" hidden>
      <p class="terms">${ctx.translate(language, 'sale.event')}</p>
      <button type="button" data-control="pay"></button>
    </div>
    <a class="button" data-control="recording" hidden>${ctx.translate(language, 'embed.live.recording')}</a>
  `;
}

function descriptionOf(description: string | null): Html {
  return description === null ? html`` : html`<p class="about">${description}</p>`;
}

function viewTerms({ ctx, language, locale }: Reading): string {
  return ctx.translate(language, 'sale.view', { period: localSeconds(ctx.config.payments.viewSeconds, locale) });
}

/** Name, price and period of a bundle, how to subscribe, and a link if the deployment has a page for it. */
function bundleOffer({ ctx, language, locale }: Reading, bundle: BundleDetails): Html {
  const { currency, portalUrl } = ctx.config.payments;
  const period = localPeriod(bundle.duration, bundle.durationUnit, locale);
  const address = portalUrl?.replaceAll('{bundleId}', bundle.id);
  return html`
    <p>${bundle.name}: ${localMoney(bundle.priceCents, currency, locale)} / ${period}</p>
    <p class="terms">${ctx.translate(language, 'embed.paid.subscribe')}</p>
    ${address === undefined ? [] : html`<a class="button" href="${address}" target="_blank" rel="noopener">${ctx.translate(language, 'sale.subscribe')}</a>`}
  `;
}
