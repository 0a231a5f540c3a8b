const utmostMs = 18 * 3_600_000;

/**
 * Milliseconds to add to UTC for the caller's local time, of the `X-<name>-timezone` header; `docs/contract.md#choices-requests`.
 * Missing, not a signed integer, or further from UTC than any zone: the default.
 */
export function offsetOf(header: string | string[] | undefined, defaultMs: number): number {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined || !/^\s*[+-]?\d{1,9}\s*$/.test(text)) return defaultMs;
  const offset = Number(text);
  return Math.abs(offset) <= utmostMs ? offset : defaultMs;
}
