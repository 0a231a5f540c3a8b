import type { Context } from '../../shared/platform/context.js';
import { formatDateTime, type WireDateTime } from '../../shared/platform/formats/format.js';
import { fixedZone } from '../../shared/platform/formats/timeZone.js';

/** A request's date and time: so many minutes after the test clock, in the local time of the offset. */
export function inMinutes(ctx: Context, minutes: number, offsetMs = 0): WireDateTime {
  return formatDateTime(new Date(ctx.clock.now().getTime() + minutes * 60_000), fixedZone(offsetMs));
}
