import { languageOf, type Language } from '../i18n.js';
import type { DurationUnit } from './period.js';
import { languageTag } from './language.js';
import type { TimeZone } from './timeZone.js';

/**
 * Prices, dates and times in the format of the reader's region, on pages and in mails. A locale is a language with messages, and
 * a region if known: `de-CH`. Responses of the API use the formats of `format.ts`.
 */

/** A browser sends a few; a request may have thousands. */
const maxTags = 20;

/**
 * The locale of a reader: the page's language with the region of the first tag of that language that has one. If no tag has that
 * language, the region of the first tag is used. `tags` in order of preference.
 */
export function localeOf(language: Language, tags: readonly string[]): string {
  const known = tags
    .slice(0, maxTags)
    .flatMap((tag) => languageTag(tag) ?? [])
    .map((tag) => new Intl.Locale(tag));
  const ofLanguage = known.filter((locale) => locale.language === language);
  const { region } = ofLanguage.length === 0 ? (known[0] ?? {}) : (ofLanguage.find((locale) => locale.region) ?? {});
  return region === undefined ? language : `${language}-${region}`;
}

/** The locale of a mail, from the stored language of a user: `pt-BR`. */
export function localeOfTag(tag: string): string {
  return localeOf(languageOf(tag), [tag]);
}

/** An amount with two decimals, even if the currency has none: `4,00 €`, `¥4.50`. */
export function localMoney(cents: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: 2 }).format(cents / 100);
}

const unitNames: Readonly<Record<DurationUnit, string>> = { DAYS: 'day', MONTHS: 'month', YEARS: 'year' };

/** `30 giorni` */
export function localPeriod(duration: number, unit: DurationUnit, locale: string): string {
  return localUnits(duration, unitNames[unit], locale);
}

/** `2 giorni`, in the largest exact unit of days, hours and minutes; minutes are rounded up. */
export function localSeconds(seconds: number, locale: string): string {
  if (seconds % 86_400 === 0) return localUnits(seconds / 86_400, 'day', locale);
  if (seconds % 3_600 === 0) return localUnits(seconds / 3_600, 'hour', locale);
  return localUnits(Math.ceil(seconds / 60), 'minute', locale);
}

/** A no-break space keeps the number and its unit on one line. */
function localUnits(count: number, unit: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(count).replaceAll(' ', '\u00a0');
}

const dayAndTime: Intl.DateTimeFormatOptions = {
  ...({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const),
  ...({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const),
};

/** `28 November 2026` */
export function localDay(moment: Date, zone: TimeZone, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(localMoment(moment, zone));
}

/** The time of day with the name of its zone: `20:15 (UTC+1)` */
export function localTime(moment: Date, zone: TimeZone, locale: string): string {
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  return `${time.format(localMoment(moment, zone))} (${zoneName(zone, moment)})`;
}

/** An interval with the name of the zone: `Saturday 28 November 2026, 20:00–22:00 (UTC+1)` */
export function localSpan(from: Date, until: Date, zone: TimeZone, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, dayAndTime);
  const range = format.formatRange(localMoment(from, zone), localMoment(until, zone));
  return `${range} (${zoneName(zone, from)})`;
}

/** A date whose UTC time is the local time. Node 20 does not accept offsets such as `+01:00` as time zones. */
function localMoment(moment: Date, zone: TimeZone): Date {
  return new Date(moment.getTime() + zone.offsetAt(moment));
}

/** `UTC`, `UTC+5:30` or the name of the zone. */
function zoneName(zone: TimeZone, moment: Date): string {
  if (!/^[+-]?\d+$/.test(zone.id)) return zone.id.replaceAll('_', ' ');
  const minutes = Math.round(zone.offsetAt(moment) / 60_000);
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
