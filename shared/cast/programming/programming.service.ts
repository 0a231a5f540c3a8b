import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import { ValidationError, type FieldError } from '../../platform/errors.js';
import { ownCastChannel } from '../channel.queries.js';
import { dayOf, daysFrom, type CivilDay, type Day } from './day.js';
import { readOwnDay, type OwnDay } from './day.queries.js';
import { keptDraft, type Draft } from './draft.js';
import type { Edit, WantedPrograms } from './edit.js';
import { editDays, type Change, type EditState } from './edit.service.js';
import { draftsOfEntries, type ProgramEntry } from './entries.js';
import type { Program } from './program.queries.js';
import { programsWithInserted, programsWithMoved, programsWithRemoved } from './programming.js';
import { draftsOfItems, type SourceItem } from './sourceItems.js';

/*
 * Edits of the daily programming: `docs/contract.md#choices-cast`. All of them throw what `editDays` throws.
 */

/** Replaces all programs that start in a day. */
export function replaceDay(
  ctx: Context,
  edit: Edit,
  civil: CivilDay,
  entries: readonly ProgramEntry[],
): Promise<OwnDay> {
  return editDay(ctx, edit, civil, (tx, { programs }) => draftsOfEntries(ctx, tx, edit, { programs, entries }));
}

/**
 * Puts new programs before the one at `index`; the later ones move. `index` = number of programs puts them last. The first
 * programs of a day, and those that are put behind a program that is over, start as early as possible.
 */
export function insertPrograms(
  ctx: Context,
  edit: Edit,
  civil: CivilDay,
  { index, items }: { readonly index: number; readonly items: readonly SourceItem[] },
): Promise<OwnDay> {
  return editDay(ctx, edit, civil, async (tx, state) => {
    const present = kept(state.programs);
    assertInRange(outOfRange('index', index, present.length, present.length));
    const { drafts, errors } = await draftsOfItems(ctx, tx, edit, items);
    // Without all of them it is not known when the later ones start.
    if (errors.length > 0) throw new ValidationError(errors);
    return accepted(programsWithInserted(present, index, drafts, lastStart(state)));
  });
}

/** Puts the program at `fromIndex` before the one at `toIndex`, both counted before the move. */
export function moveProgram(
  ctx: Context,
  edit: Edit,
  civil: CivilDay,
  { fromIndex, toIndex }: { readonly fromIndex: number; readonly toIndex: number },
): Promise<OwnDay> {
  return editDay(ctx, edit, civil, async (_tx, { programs }) => {
    const count = programs.length;
    assertInRange(outOfRange('fromIndex', fromIndex, count - 1, count), outOfRange('toIndex', toIndex, count, count));
    return accepted(programsWithMoved(kept(programs), fromIndex, toIndex));
  });
}

/** Takes `count` programs from `index` on out; the later ones move forward. */
export function removePrograms(
  ctx: Context,
  edit: Edit,
  civil: CivilDay,
  { index, count }: { readonly index: number; readonly count: number },
): Promise<OwnDay> {
  return editDay(ctx, edit, civil, async (_tx, { programs }) => {
    const { length } = programs;
    const first = outOfRange('index', index, length - 1, length);
    assertInRange(first, first.length > 0 ? [] : outOfRange('count', count, length - index, length));
    return accepted(programsWithRemoved(kept(programs), index, count));
  });
}

/** Removes all programs that start in some days. Programs that only end in them stay. */
export async function clearDays(
  ctx: Context,
  edit: Edit,
  { first, count }: { readonly first: CivilDay; readonly count: number },
): Promise<void> {
  await ownCastChannel(ctx, edit);
  await editDays(
    ctx,
    edit,
    daysFrom(edit.zone, first, count),
    async () => accepted([]),
    async () => {},
  );
}

async function editDay(ctx: Context, edit: Edit, civil: CivilDay, change: Change): Promise<OwnDay> {
  // Before the edit waits for its turn.
  const { id: channelId } = await ownCastChannel(ctx, edit);
  const own = { ...edit, channelId };
  const days: readonly Day[] = [dayOf(edit.zone, civil)];
  return editDays(ctx, own, days, change, (tx: Transaction) => readOwnDay(ctx, own, civil, tx));
}

function accepted(drafts: readonly Draft[]): WantedPrograms {
  return { drafts, errors: [] };
}

function kept(programs: readonly Program[]): Draft[] {
  return programs.map((program, index) => keptDraft(program, `programs[${index}]`));
}

/** When a program starts that is put behind all others of a day. */
function lastStart({ programs, from, until, previousEnd, free }: EditState): Date {
  const end = programs.at(-1)?.endsAt ?? (previousEnd && previousEnd > from ? previousEnd : from);
  return end < free && free < until ? free : end;
}

/** The error for a number above `highest`. That it is not below 0 is checked with the request. */
function outOfRange(field: string, given: number, highest: number, count: number): FieldError[] {
  if (given <= highest) return [];
  return [{ field, code: 'outOfRange', key: 'cast.outOfRange', values: { count }, rejectedValue: given }];
}

function assertInRange(...errors: readonly FieldError[][]): void {
  const all = errors.flat();
  if (all.length > 0) throw new ValidationError(all);
}
