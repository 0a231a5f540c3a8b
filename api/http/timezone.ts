import { timeZoneOf, type TimeZone } from '../../shared/platform/formats/timeZone.js';

/**
 * The caller's time zone, from the header `X-<name>-timezone` (`docs/contract.md#choices-requests`): milliseconds to add to
 * UTC, or an IANA name. The default if it is missing or malformed.
 */
export function zoneOf(header: string | string[] | undefined, defaultZone: TimeZone): TimeZone {
  const text = Array.isArray(header) ? header[0] : header;
  return (text === undefined ? undefined : timeZoneOf(text)) ?? defaultZone;
}
