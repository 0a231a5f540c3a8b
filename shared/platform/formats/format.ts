import { momentsAt, utc, type TimeZone } from './timeZone.js';

/**
 * The formats of `docs/contract.md#conventions`, in both directions. Parsers return undefined for any other format. `zone` is the
 * time zone of the caller (`docs/contract.md#choices-requests`).
 */

/** Date-time object of `docs/contract.md#conventions`. */
export interface WireDateTime {
  /** dd/MM/yyyy */
  readonly date: string;
  /** HH:mm:ss */
  readonly time: string;
}

/** A date and time of a request: local time, or an instant. */
export type SentTime = WireDateTime | Date;

const bytesPerGigabyte = 1024 ** 3;

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

/** UTC milliseconds of a calendar date; undefined if the day does not exist (31/02). Years 1 to 9999. */
function civilDay(year: number, month: number, day: number): number | undefined {
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  const exists = moment.getUTCFullYear() === year && moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
  return exists && year >= 1 ? moment.getTime() : undefined;
}

function dayOf(text: string): number | undefined {
  const parts = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  return parts ? civilDay(Number(parts[3]), Number(parts[2]), Number(parts[1])) : undefined;
}

function timeOf(text: string): number | undefined {
  const parts = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/.exec(text);
  return parts ? (Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3])) * 1000 : undefined;
}

/** The local time of an instant, as if it were UTC. */
function localOf(moment: Date, zone: TimeZone): Date {
  return new Date(moment.getTime() + zone.offsetAt(moment));
}

/** dd/MM/yyyy in the caller's local time. */
export function formatDate(moment: Date, zone: TimeZone): string {
  const local = localOf(moment, zone);
  return `${pad(local.getUTCDate(), 2)}/${pad(local.getUTCMonth() + 1, 2)}/${pad(local.getUTCFullYear(), 4)}`;
}

/** The start of the day, as if it were UTC. */
export function parseDate(text: string): Date | undefined {
  const day = dayOf(text);
  return day === undefined ? undefined : new Date(day);
}

/** dd/MM/yyyy of a stored date (yyyy-MM-dd), which has no time zone. */
export function formatPlainDate(stored: string): string {
  const [year = '', month = '', day = ''] = stored.split('-');
  return `${day}/${month}/${year}`;
}

/** yyyy-MM-dd of a dd/MM/yyyy date. */
export function parsePlainDate(text: string): string | undefined {
  const day = dayOf(text);
  return day === undefined ? undefined : new Date(day).toISOString().slice(0, 10);
}

export function formatDateTime(moment: Date, zone: TimeZone): WireDateTime {
  const local = localOf(moment, zone);
  const time = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()]
    .map((part) => pad(part, 2))
    .join(':');
  return { date: formatDate(local, utc), time };
}

const isoForm = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?:(:\d{2})(?:\.\d{1,9})?)?(?:(Z)|([+-])(\d{2}:\d{2}))?)?$/;

/**
 * Date and time of an ISO 8601 text in its extended form, without fractions of a second: an instant if it has `Z` or an offset,
 * otherwise local. A date without time is its midnight.
 */
export function parseIsoTime(text: string): SentTime | undefined {
  const [, day = '', minute = '00:00', second = ':00', inUtc, sign, offset = '00:00'] = isoForm.exec(text) ?? [];
  const value = { date: formatPlainDate(day), time: `${minute}${second}` };
  const [moment] = momentsOf(utc, value);
  const offsetMs = timeOf(`${offset}:00`);
  if (!moment || offsetMs === undefined) return undefined;
  if (inUtc === undefined && sign === undefined) return value;
  return new Date(moment.getTime() - (sign === '-' ? -offsetMs : offsetMs));
}

/** The instants that have this local time, in order: none, one or two (`momentsAt`). An instant is returned unchanged. */
export function momentsOf(zone: TimeZone, value: SentTime): Date[] {
  if (value instanceof Date) return [value];
  const day = dayOf(value.date);
  const time = timeOf(value.time);
  return day === undefined || time === undefined ? [] : momentsAt(zone, day + time);
}

/** minutes:seconds, rounded to a second; minutes may exceed 59: "3:07", "125:00". */
export function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)}:${pad(seconds % 60, 2)}`;
}

/** An integer of hundredths, with a decimal comma and two decimals. */
function formatHundredths(hundredths: number): string {
  const absolute = Math.abs(hundredths);
  return `${hundredths < 0 ? '-' : ''}${Math.floor(absolute / 100)},${pad(absolute % 100, 2)}`;
}

/** "12,50" of 1250 cents. */
export function formatPrice(cents: number): string {
  return formatHundredths(cents);
}

/**
 * Cents of "12,50". Also reads one decimal, no decimals, and a point instead of the comma. Negative prices do not
 * exist.
 */
export function parsePrice(text: string): number | undefined {
  const parts = /^(\d{1,12})(?:[,.](\d{1,2}))?$/.exec(text);
  return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) : undefined;
}

/** "12,50" of 12.5 percent. */
export function formatPercent(percent: number): string {
  return formatHundredths(Math.round(percent * 100));
}

/** "1,25" of 1.25 gigabytes of 1024³ bytes. */
export function formatGigabytes(bytes: number): string {
  return formatHundredths(Math.round((bytes / bytesPerGigabyte) * 100));
}

const byteUnits = ['bytes', 'KiB', 'MiB', 'GiB'] as const;

/** "1 MiB", "2,86 MiB", in the largest unit that fits. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), byteUnits.length - 1);
  const hundredths = Math.floor((bytes / 1024 ** power) * 100);
  return `${hundredths % 100 === 0 ? hundredths / 100 : formatHundredths(hundredths)} ${byteUnits[power]}`;
}

/** Whether a text has the format of this service's ids (a UUID, in any case). */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
