import type { Config } from '../config.js';

/** A time zone: of a request, or of a channel, whose days it delimits. */
export interface TimeZone {
  /** IANA name, or the offset in milliseconds as text. `timeZoneOf` reads it. */
  readonly id: string;
  /** Milliseconds to add to UTC for the local time at an instant. */
  offsetAt(moment: Date): number;
}

const maxOffsetMs = 18 * 3_600_000;
const dayMs = 24 * 3_600_000;
/** Since 1970, every zone has changed its offset only at a quarter of an hour of UTC. */
const quarterMs = 15 * 60_000;
const maxName = 64;
/** All names in use fit; a limit is needed because names may vary in case. */
const maxKnown = 1_000;
const maxOffsets = 5_000;

/** A zone with a constant offset. */
export function fixedZone(offsetMs: number): TimeZone {
  return { id: String(offsetMs), offsetAt: () => offsetMs };
}

export const utc = fixedZone(0);

/** The zone of the deployment: for requests that name none, and for mails. */
export function defaultZone({ service }: Config): TimeZone {
  return fixedZone(service.defaultOffsetMs);
}

/**
 * The zone of a text: an integer of milliseconds up to 18 hours, or an IANA name in any case. Undefined for any other
 * text.
 */
export function timeZoneOf(text: string): TimeZone | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,9}$/.test(trimmed)) return namedZone(trimmed);
  const offset = Number(trimmed);
  return Math.abs(offset) <= maxOffsetMs ? fixedZone(offset) : undefined;
}

const known = new Map<string, TimeZone>();

function namedZone(name: string): TimeZone | undefined {
  if (name.length > maxName || !/^[A-Za-z][\w+/-]*$/.test(name)) return undefined;
  const present = known.get(name);
  if (present) return present;
  const format = formatOf(name);
  if (!format) return undefined;
  if (known.size >= maxKnown) known.clear();
  const zone: TimeZone = { id: format.resolvedOptions().timeZone, offsetAt: offsetsOf(format) };
  known.set(name, zone);
  return zone;
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    const digits = '2-digit';
    return new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
      ...{ year: 'numeric', month: digits, day: digits, hour: digits, minute: digits, second: digits },
    });
  } catch {
    return undefined;
  }
}

/** Caches the offset of each quarter of an hour, because formatting is slow. */
function offsetsOf(format: Intl.DateTimeFormat): (moment: Date) => number {
  const offsets = new Map<number, number>();
  return (moment) => {
    const quarter = Math.floor(moment.getTime() / quarterMs);
    const present = offsets.get(quarter);
    if (present !== undefined) return present;
    if (offsets.size >= maxOffsets) offsets.clear();
    const start = quarter * quarterMs;
    const parts = new Map(format.formatToParts(start).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    offsets.set(quarter, local - start);
    return local - start;
  };
}

/**
 * The instants with this local time, in order: none if clocks are set forward over it, two if they are set back, otherwise one.
 * `localMs` is the local time as if it were UTC.
 */
export function momentsAt(zone: TimeZone, localMs: number): Date[] {
  const [before, after] = [localMs - dayMs, localMs + dayMs].map((near) => zone.offsetAt(new Date(near)));
  const offsets = new Set([before ?? 0, after ?? 0]);
  return [...offsets]
    .map((offset) => new Date(localMs - offset))
    .filter((moment) => moment.getTime() + zone.offsetAt(moment) === localMs)
    .sort((one, other) => one.getTime() - other.getTime());
}

/** The first instant whose local time is this or later; if clocks are set forward over it, the instant of the change. */
export function firstMomentAt(zone: TimeZone, localMs: number): Date {
  const [exact] = momentsAt(zone, localMs);
  if (exact) return exact;
  const isReached = (time: number): boolean => time + zone.offsetAt(new Date(time)) >= localMs;
  let [low, high] = [localMs - dayMs, localMs + dayMs];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isReached(middle)) high = middle;
    else low = middle;
  }
  return new Date(high);
}
