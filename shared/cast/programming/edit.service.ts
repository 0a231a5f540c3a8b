import { concurrency } from '../../platform/concurrency.js';
import { calendarSlots } from './calendarSlots.js';
import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import { ConflictError, PreconditionFailedError, ValidationError, type FieldError } from '../../platform/errors.js';
import { formatDateTime } from '../../platform/formats/format.js';
import type { TimeZone } from '../../platform/formats/timeZone.js';
import type { Language } from '../../platform/i18n.js';
import { yieldingBatches, yieldToEventLoop } from '../../platform/timeSlices.js';
import { ownCastChannel } from '../castChannel.queries.js';
import { lockCastChannel } from '../castChannel.service.js';
import { firstFreeTime } from '../playout.service.js';
import type { Change, CivilDays, FoundDays } from './changes.js';
import { byDay, dayOf, daysFrom, type CivilDay, type Day } from './day.js';
import { etagOf, isMatch, readOwnDay, spanOf, storedPrograms, surroundingsOf, type OwnDay } from './day.queries.js';
import { airsSameUntil, timeErrors } from './dayRules.js';
import { byStart, isSameSource, isSameTime, type Draft, type RequestedPrograms } from './draft.js';
import type { Program } from './program.queries.js';
import { assertFewPrograms, writePrograms } from './program.service.js';
import { withBreaks } from './programList.js';
import { lockSources, sourceError, type Sources } from './sources.queries.js';

/*
 * An edit of the daily programming: `docs/contract.md#choices-cast`. `changes.ts` says what each edit makes of the programs;
 * everything else is the same for all, in the order of the picture in `docs/decisions/cast.md#programming`. Throws
 * NotFoundError; ValidationError with one error for each wrong program; ConflictError where what is decided would change;
 * PreconditionFailedError where the day is not as the caller has read it; TooManyRequestsError where too many edits of the same
 * user wait; UnavailableError where too many edits of several days do.
 */

/** Of one day: a client can read a whole day and send it back within the limits of a request. */
export const maxPrograms = 400;

/** Edits of one user that run at a time in one process: each waits for the row of its channel on a connection of its own. */
const editsOfUser = 2;

/** An edit of many days names the first wrong programs. */
const maxErrors = maxPrograms;

/** Programs that are checked between two turns of the event loop. */
const programsPerBatch = 1_000;

/** Who edits. */
export interface Editor {
  readonly ownerId: string;
  /** Of the dates and times in the request. */
  readonly zone: TimeZone;
  /** Of the titles of breaks. */
  readonly language: Language;
}

/** Which programs are edited, by whom. */
export interface Edit extends Editor {
  readonly channelId: string;
  /** The header of the request: entity tags of the day as the caller has read it. */
  readonly ifMatch?: string | undefined;
}

/** Edits one day, and resolves with it as it is then. */
export function editDay(ctx: Context, edit: Edit, civil: CivilDay, change: Change): Promise<OwnDay> {
  return runEdit(ctx, edit, [dayOf(edit.zone, civil)], change, (tx) => readOwnDay(ctx, edit, civil, tx));
}

/** Edits days that follow each other: all of them, or none. */
export function editDays(ctx: Context, edit: Edit, { first, count }: CivilDays, change: Change): Promise<void> {
  return runEdit(ctx, edit, daysFrom(edit.zone, first, count), change, async () => {});
}

/**
 * The whole edit, in one transaction. Edits of one channel run one after the other, in whichever process, because each locks its
 * row first; two channels are locked in the order of their ids.
 */
async function runEdit<Result>(
  ctx: Context,
  edit: Edit,
  days: readonly Day[],
  change: Change,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { ownerId } = edit;
  const channelId = edit.channelId.toLowerCase();
  const channelIds = [...new Set([channelId, change.copiedFrom?.channelId.toLowerCase() ?? channelId])];
  // Before the edit waits for its turn.
  for (const id of channelIds) await ownCastChannel(ctx, { channelId: id, ownerId });
  const dayCount = Math.max(days.length, change.copiedFrom?.days.length ?? 0);
  return inTurn(ctx, ownerId, dayCount, async (tx) => {
    for (const id of channelIds.toSorted()) await lockCastChannel(ctx, tx, { channelId: id, ownerId });
    const found = await findDays(ctx, tx, edit, days, change);
    const sources = await lockSources(ctx, tx, ownerId, change.names(found));
    const wanted = await change.programs({ ...found, sources });
    const drafts = await checkedDrafts(found, sources, wanted);
    const after = withBreaks(drafts, days, found.programs, found.breakTitle);
    await yieldToEventLoop();
    assertDaysNotFull(days, after);
    assertNotFrozen(found, after);
    await assertFewPrograms(ctx, tx, channelId, after.length - found.programs.length);
    await writePrograms(ctx, tx, { ...edit, channelId }, { before: found.programs, after });
    return read(tx);
  });
}

/** Runs a transaction of a user that edits so many days, when it is its turn. */
function inTurn<Result>(
  ctx: Context,
  ownerId: string,
  dayCount: number,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const edit = () => concurrency(ctx).runInSlot(`cast-edit:${ownerId}`, editsOfUser, () => ctx.db.transaction(work));
  return dayCount === 1 ? edit() : calendarSlots(ctx).edits.run(ownerId, edit);
}

/** Reads the days and what is around them, and locks the playout, so that nothing more is decided. */
async function findDays(
  ctx: Context,
  tx: Transaction,
  { channelId, zone, language, ifMatch }: Edit,
  days: readonly Day[],
  { copiedFrom }: Change,
): Promise<FoundDays> {
  const programs = await storedPrograms(ctx, tx, channelId, days);
  if (ifMatch !== undefined && !isMatch(ifMatch, etagOf(programs)))
    throw new PreconditionFailedError({ key: 'cast.dayChanged' });
  return {
    ...(await surroundingsOf(ctx, channelId, spanOf(days), tx)),
    ...{ days, programs, zone },
    copied: copiedFrom ? await storedPrograms(ctx, tx, copiedFrom.channelId, copiedFrom.days) : [],
    free: await firstFreeTime(ctx, tx, channelId),
    breakTitle: ctx.translate(language, 'cast.break'),
  };
}

/** The programs in order of time, if all of them are right. Throws ValidationError. */
async function checkedDrafts(found: FoundDays, sources: Sources, wanted: RequestedPrograms): Promise<Draft[]> {
  const drafts = wanted.drafts.toSorted(byStart);
  const wrongTimes = timeErrors(drafts, found);
  await yieldToEventLoop();
  const stored = new Map(found.programs.map((program) => [program.id, program]));
  const errors = [...wanted.errors, ...wrongTimes.values()];
  const checked: Draft[] = [];
  for await (const part of yieldingBatches(drafts, programsPerBatch)) {
    for (const draft of part) {
      const isChanged = !wrongTimes.has(draft) && !isPlayedAs(stored.get(draft.id), draft);
      const error = isChanged ? sourceError(sources, draft) : null;
      if (error) errors.push(error);
      // A program that was changed may air again.
      checked.push(isChanged && draft.failureKey !== null ? { ...draft, failureKey: null } : draft);
    }
  }
  if (errors.length > 0) throw new ValidationError(errors.slice(0, maxErrors).toSorted(byField));
  return checked;
}

/** Whether a program is stored that plays the same at the same time. */
function isPlayedAs(present: Program | undefined, draft: Draft): boolean {
  return present !== undefined && isSameTime(present, draft) && isSameSource(present, draft);
}

function byField(one: FieldError, other: FieldError): number {
  return one.field.localeCompare(other.field, 'en', { numeric: true });
}

function assertDaysNotFull(days: readonly Day[], drafts: readonly Draft[]): void {
  if (byDay(days, drafts).every(({ programs }) => programs.length <= maxPrograms)) return;
  const key = 'cast.tooManyPrograms';
  throw new ValidationError([{ field: 'programs', code: 'tooManyPrograms', key, values: { limit: maxPrograms } }]);
}

function assertNotFrozen({ programs, free, zone }: FoundDays, after: readonly Draft[]): void {
  if (airsSameUntil(free, programs, after)) return;
  const { date, time } = formatDateTime(free, zone);
  throw new ConflictError({ key: 'cast.frozen', values: { from: `${date} ${time}` } });
}
