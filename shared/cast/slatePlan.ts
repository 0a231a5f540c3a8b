import { createHash } from 'node:crypto';
import { timeZoneOf } from '../platform/formats/timeZone.js';
import type { CastChannel, CastProgram } from './cast.model.js';

/** A program, with the duration of a PRERECORDED program's content in seconds (null: it cannot be played). */
export interface SlateProgram extends Pick<
  CastProgram,
  'startsAt' | 'endsAt' | 'type' | 'title' | 'failureKey' | 'offsetSeconds'
> {
  readonly contentSeconds: number | null;
}

/** The texts and image of a slate, and when it may be shown. */
export interface RequestedSlate {
  readonly digest: string;
  readonly lines: readonly string[];
  readonly thumbnailId: string | null;
  readonly showsFrom: Date;
  /** Null: it shows no next program, so it may be shown at any time. */
  readonly showsUntil: Date | null;
}

type SlateChannel = Pick<CastChannel, 'name' | 'thumbnailId' | 'timeZone'>;

/** A new number makes all slates render again, after a change of their layout. */
const layout = 1;
/** Slates are requested this long before they can be shown. */
const leadMilliseconds = 15 * 60_000;
/** Start of a slate without a program before it. */
const always = new Date(0);

/**
 * The slates that a channel may need: one with only its name, and one for each coming program that follows a gap. `programs`:
 * current and coming ones, in order of time. Slates with equal texts are one slate.
 */
export function slatesFor(channel: SlateChannel, programs: readonly SlateProgram[], now: Date): RequestedSlate[] {
  const requested = new Map<string, RequestedSlate>();
  const add = (lines: readonly string[], showsFrom: Date, showsUntil: Date | null): void => {
    const { thumbnailId } = channel;
    const digest = createHash('sha256')
      .update(JSON.stringify([layout, thumbnailId, ...lines]))
      .digest('hex');
    const from = requested.get(digest)?.showsFrom ?? showsFrom;
    requested.set(digest, { digest, lines, thumbnailId, showsFrom: from, showsUntil });
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
  return [...requested.values()];
}

/** Whether a program is expected to play until a time. A live program may miss segments. */
function fillsTime(program: SlateProgram, until: Date): boolean {
  const { type, failureKey, startsAt, endsAt, offsetSeconds, contentSeconds } = program;
  if (type !== 'PRERECORDED' || failureKey !== null || contentSeconds === null) return false;
  const seconds = (endsAt.getTime() - startsAt.getTime()) / 1000;
  return endsAt >= until && contentSeconds - offsetSeconds >= seconds;
}

/** A start further ahead is shown with its date. */
const farMilliseconds = 12 * 3_600_000;

/**
 * The start of a program in language-independent digits: `20:15`, with the date if it is on another day and more than 12 hours
 * after `seen`. `zoneId`: id of a `TimeZone`. Null: the time is in UTC, and ends with `UTC`.
 */
export function slateTimeText(startsAt: Date, zoneId: string | null, seen: Date): string {
  const zone = zoneId === null ? undefined : timeZoneOf(zoneId);
  const local = (moment: Date): string =>
    new Date(moment.getTime() + (zone?.offsetAt(moment) ?? 0)).toISOString().slice(0, 16);
  const [day = '', minute = ''] = local(startsAt).split('T');
  const isFar = startsAt.getTime() - seen.getTime() > farMilliseconds && !local(seen).startsWith(day);
  return [...(isFar ? [day] : []), minute, ...(zone ? [] : ['UTC'])].join(' ');
}
