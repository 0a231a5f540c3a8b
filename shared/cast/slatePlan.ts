import { createHash } from 'node:crypto';
import { timeZoneOf } from '../platform/formats/timeZone.js';
import type { CastChannel, CastProgram } from './cast.model.js';

/** A program, and how long the content of a PRERECORDED one lasts (seconds; null where it cannot be played). */
export interface SlateProgram extends Pick<
  CastProgram,
  'startsAt' | 'endsAt' | 'type' | 'title' | 'failureKey' | 'offsetSeconds'
> {
  readonly contentSeconds: number | null;
}

/** What is on a slate, and when it is right. */
export interface RequestedSlate {
  readonly digest: string;
  readonly lines: readonly string[];
  readonly thumbnailId: string | null;
  readonly showsFrom: Date;
  /** Null: it shows no next program, so it is right at any time. */
  readonly showsUntil: Date | null;
}

type SlateChannel = Pick<CastChannel, 'name' | 'thumbnailId' | 'timeZone'>;

/** Slates are made again when their layout changes. */
const layout = 1;
/** Slates are made so long before they can be shown. */
const leadMilliseconds = 15 * 60_000;
/** From the beginning: nothing is programmed before. */
const always = new Date(0);

/**
 * The slates that a channel can need: one with its name only, and one for each coming program before which there is time to
 * fill. `programs`: in order of time, those that are not over. The same texts are one slate.
 */
export function slatesFor(channel: SlateChannel, programs: readonly SlateProgram[], now: Date): RequestedSlate[] {
  const wanted = new Map<string, RequestedSlate>();
  const add = (lines: readonly string[], showsFrom: Date, showsUntil: Date | null): void => {
    const { thumbnailId } = channel;
    const digest = createHash('sha256')
      .update(JSON.stringify([layout, thumbnailId, ...lines]))
      .digest('hex');
    const from = wanted.get(digest)?.showsFrom ?? showsFrom;
    wanted.set(digest, { digest, lines, thumbnailId, showsFrom: from, showsUntil });
  };
  add([channel.name], always, null);
  const shown = programs.filter(({ type }) => type !== 'BREAK');
  for (const [index, next] of shown.entries()) {
    const before = shown[index - 1];
    const from = before?.startsAt ?? always;
    if (from.getTime() > now.getTime() + leadMilliseconds) break;
    if (next.startsAt <= now || (before && fillsTime(before, next.startsAt))) continue;
    const seen = from > now ? from : now;
    add([channel.name, slateTimeText(next.startsAt, channel.timeZone, seen), next.title], from, next.startsAt);
  }
  return [...wanted.values()];
}

/** Whether a program plays until a time, as far as is known. A live one may miss segments. */
function fillsTime(program: SlateProgram, until: Date): boolean {
  const { type, failureKey, startsAt, endsAt, offsetSeconds, contentSeconds } = program;
  if (type !== 'PRERECORDED' || failureKey !== null || contentSeconds === null) return false;
  const seconds = (endsAt.getTime() - startsAt.getTime()) / 1000;
  return endsAt >= until && contentSeconds - offsetSeconds >= seconds;
}

/** A start that is further away is shown with its date. */
const farMilliseconds = 12 * 3_600_000;

/**
 * The start of a program in digits that need no language: `20:15`, and with its date where that is another day and more than
 * 12 hours later than `seen`. `zoneId`: of a `TimeZone`. Without one it is in UTC, and ends with `UTC`.
 */
export function slateTimeText(startsAt: Date, zoneId: string | null, seen: Date): string {
  const zone = zoneId === null ? undefined : timeZoneOf(zoneId);
  const local = (moment: Date): string =>
    new Date(moment.getTime() + (zone?.offsetAt(moment) ?? 0)).toISOString().slice(0, 16);
  const [day = '', minute = ''] = local(startsAt).split('T');
  const isFar = startsAt.getTime() - seen.getTime() > farMilliseconds && !local(seen).startsWith(day);
  return [...(isFar ? [day] : []), minute, ...(zone ? [] : ['UTC'])].join(' ');
}
