const maximumOffsetMs = 18 * 3_600_000;

/**
 * Milliseconds to add to UTC for the caller's local time, from the header `X-<name>-timezone`
 * (`docs/contract.md#choices-requests`). The default where it is missing, not an integer, or more than 18 hours.
 */
export function offsetOf(header: string | string[] | undefined, defaultMs: number): number {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined || !/^\s*[+-]?\d{1,9}\s*$/.test(text)) return defaultMs;
  const offset = Number(text);
  return Math.abs(offset) <= maximumOffsetMs ? offset : defaultMs;
}
