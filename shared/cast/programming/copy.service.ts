import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import type { TimeZone } from '../../platform/formats/timeZone.js';
import { batchesInTurns } from '../../platform/turns.js';
import { lockCastChannel } from '../channel.service.js';
import { byDay, daysFrom, sameTimeOn, startsIn, type CivilDay, type Day } from './day.js';
import { storedPrograms } from './day.queries.js';
import { matchKey, newDraft, sourceOf, type Draft } from './draft.js';
import type { Editor } from './edit.js';
import { applyChange, inTurn } from './edit.service.js';
import type { Program } from './program.queries.js';
import { lengthOf } from './programming.js';

/** Programs that are compared between two turns of the event loop. */
const programsOfTurn = 1_000;

/** Days of one channel that follow each other. */
export interface Days {
  readonly channelId: string;
  readonly first: CivilDay;
  readonly count: number;
}

/**
 * Replaces days of a channel by those of this or another channel of the same owner, which repeat until the destination is full
 * (`docs/contract.md#choices-cast`). Throws what `editDays` throws.
 */
export function copyDays(
  ctx: Context,
  editor: Editor,
  { source, destination }: { readonly source: Days; readonly destination: Days },
): Promise<void> {
  const { ownerId, zone } = editor;
  return inTurn(ctx, ownerId, Math.max(source.count, destination.count), async (tx) => {
    const ids = [source.channelId, destination.channelId].map((id) => id.toLowerCase());
    for (const channelId of [...new Set(ids)].toSorted()) await lockCastChannel(ctx, tx, { channelId, ownerId });
    const sourceDays = daysFrom(zone, source.first, source.count);
    const days = daysFrom(zone, destination.first, destination.count);
    const copies = await copiesOf(ctx, tx, { zone, channelId: source.channelId, sourceDays, days });
    const edit = { ...editor, channelId: destination.channelId };
    await applyChange(ctx, tx, edit, days, async (_tx, { programs }) => ({
      drafts: await withStoredIds(copies, programs),
      errors: [],
    }));
  });
}

async function copiesOf(
  ctx: Context,
  tx: Transaction,
  {
    zone,
    channelId,
    sourceDays,
    days,
  }: {
    readonly zone: TimeZone;
    readonly channelId: string;
    readonly sourceDays: readonly Day[];
    readonly days: readonly Day[];
  },
): Promise<Draft[]> {
  const sources = byDay(sourceDays, await storedPrograms(ctx, tx, channelId, sourceDays));
  const copies: Draft[] = [];
  for await (const [target] of batchesInTurns([...days.entries()], 1)) {
    if (!target) break;
    const [index, day] = target;
    const source = sources[index % sources.length];
    if (source) copies.push(...copiesOn(zone, source, day, `dailyProgrammings[${index}]`));
  }
  return copies;
}

/**
 * The programs of a day at the same local times of another day. Where clocks change in one of them, a program ends at the start
 * of the next one at the latest, and one for which no time is left is not copied.
 */
export function copiesOn(
  zone: TimeZone,
  { day, programs }: { readonly day: Day; readonly programs: readonly Program[] },
  target: Day,
  field: string,
): Draft[] {
  const starts = programs.map(({ startsAt }) => sameTimeOn(zone, startsAt, day, target));
  return programs.flatMap((program, index) => {
    const [startsAt, next] = [starts[index], starts[index + 1]];
    if (!startsAt || !startsIn(target, startsAt)) return [];
    const end = startsAt.getTime() + lengthOf(program);
    const endsAt = new Date(next ? Math.min(end, next.getTime()) : end);
    if (endsAt <= startsAt) return [];
    const { title, description, thumbnailId, tags } = program;
    return newDraft({
      ...{ startsAt, endsAt, ...sourceOf(program), title, description, thumbnailId, tags },
      field: `${field}.programs[${index}]`,
    });
  });
}

/** A copy that starts and plays as a stored program does replaces it under its id. */
async function withStoredIds(copies: readonly Draft[], programs: readonly Program[]): Promise<Draft[]> {
  const stored = new Map<string, Program>();
  for await (const part of batchesInTurns(programs, programsOfTurn))
    for (const program of part) stored.set(matchKey(program), program);
  const drafts: Draft[] = [];
  for await (const part of batchesInTurns(copies, programsOfTurn)) {
    for (const copy of part) {
      const present = stored.get(matchKey(copy));
      drafts.push(present ? { ...copy, id: present.id, failureKey: present.failureKey } : copy);
    }
  }
  return drafts;
}
