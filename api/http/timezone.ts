import { fixedZone, timeZoneOf, type TimeZone } from '../../shared/platform/formats/timeZone.js';

type Header = string | string[] | undefined;

/**
 * Milliseconds to add to UTC for the caller's local time, from the header `X-<name>-timezone`
 * (`docs/contract.md#choices-requests`). The default where it is missing, not an integer, or more than 18 hours.
 */
export function offsetOf(header: Header, defaultMs: number): number {
  const text = textOf(header);
  if (text === undefined || !/^\s*[+-]?\d+\s*$/.test(text)) return defaultMs;
  return timeZoneOf(text)?.offsetAt(new Date(0)) ?? defaultMs;
}

/** The same as a time zone, which may also be given by its IANA name (`Europe/Rome`): for cast channels. */
export function zoneOf(header: Header, defaultMs: number): TimeZone {
  const text = textOf(header);
  return (text === undefined ? undefined : timeZoneOf(text)) ?? fixedZone(defaultMs);
}

function textOf(header: Header): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
