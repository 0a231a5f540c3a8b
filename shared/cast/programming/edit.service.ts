import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import { ConflictError, PreconditionFailedError, ValidationError, type FieldError } from '../../platform/errors.js';
import { formatDateTime } from '../../platform/formats/format.js';
import { nextTurn, batchesInTurns } from '../../platform/turns.js';
import type { TimeZone } from '../../platform/formats/timeZone.js';
import { lockCastChannel } from '../channel.service.js';
import { firstFreeTime } from '../playout.service.js';
import { withBreaks } from './breaks.js';
import { byDay, type Day } from './day.js';
import { timeErrors, type Surroundings } from './dayErrors.js';
import { etagOf, isMatch, storedPrograms, surroundingsOf, spanOf } from './day.queries.js';
import { isSameSource, isSameTime, type Draft } from './draft.js';
import type { Edit, WantedPrograms } from './edit.js';
import { airsSameUntil } from './freeze.js';
import type { Program } from './program.queries.js';
import { byStart } from './programming.js';
import { assertFewPrograms, writePrograms } from './programRows.service.js';
import { lockSources, sourceError } from './sources.queries.js';

/** Of one day: a client can read a whole day and send it back within the limits of a request. */
export const maximumPrograms = 400;

/** Edits of one user that run at a time in one process: each waits for the row of its channel on a connection of its own. */
const editsOfUser = 2;

/** An edit of many days names the first wrong programs. */
const maximumErrors = maximumPrograms;

/** Programs that are checked between two turns of the event loop. */
const programsOfTurn = 1_000;

/** What an edit finds. The channel and its playout are locked: nothing of this changes until the transaction ends. */
export interface EditState extends Surroundings {
  readonly days: readonly Day[];
  /** That start in these days, in order. */
  readonly programs: readonly Program[];
  /** What airs before is decided. */
  readonly free: Date;
}

export type Change = (tx: Transaction, state: EditState) => Promise<WantedPrograms>;

/**
 * Edits days that follow each other: all of it, or nothing. Edits of one channel run one after the other, in whichever process.
 * Throws NotFoundError; ValidationError with one error for each wrong program; ConflictError where what is decided would
 * change; PreconditionFailedError where the day is not as the caller has read it; TooManyRequestsError.
 */
export function editDays<Result>(
  ctx: Context,
  edit: Edit,
  days: readonly Day[],
  change: Change,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTurn(ctx, edit.ownerId, days.length, async (tx) => {
    await lockCastChannel(ctx, tx, edit);
    await applyChange(ctx, tx, edit, days, change);
    return read(tx);
  });
}

/**
 * Runs a transaction of a user that edits so many days. Throws TooManyRequestsError where too many of the same user wait, and
 * UnavailableError where too many edits of several days do.
 */
export function inTurn<Result>(
  ctx: Context,
  ownerId: string,
  dayCount: number,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const edit = () => ctx.concurrency.runInTurn(`cast-edit:${ownerId}`, editsOfUser, () => ctx.db.transaction(work));
  return dayCount === 1 ? edit() : ctx.calendarTurns.edits.run(ownerId, edit);
}

/** The same in the transaction of the caller, who has locked the channel. */
export async function applyChange(
  ctx: Context,
  tx: Transaction,
  edit: Edit,
  days: readonly Day[],
  change: Change,
): Promise<void> {
  const { channelId } = edit;
  const window = spanOf(days);
  const programs = await storedPrograms(ctx, tx, channelId, days);
  if (edit.ifMatch !== undefined && !isMatch(edit.ifMatch, etagOf(programs)))
    throw new PreconditionFailedError({ key: 'cast.dayChanged' });
  const surroundings = await surroundingsOf(ctx, channelId, window, tx);
  const state = { ...surroundings, days, programs, free: await firstFreeTime(ctx, tx, channelId) };
  const wanted = await change(tx, state);
  const drafts = await checkedDrafts(ctx, tx, edit, state, wanted);
  const title = ctx.translate(edit.language, 'cast.break');
  const complete = withBreaks(drafts, days, programs, title);
  await nextTurn();
  assertCounts(days, complete);
  if (!airsSameUntil(state.free, programs, complete)) throw frozen(state.free, edit.zone);
  await assertFewPrograms(ctx, tx, channelId, complete.length - programs.length);
  await writePrograms(ctx, tx, edit, { before: programs, after: complete });
}

/** The programs in order of time, if all of them are right. Throws ValidationError. */
async function checkedDrafts(
  ctx: Context,
  tx: Transaction,
  { ownerId }: Edit,
  state: EditState,
  wanted: WantedPrograms,
): Promise<Draft[]> {
  const drafts = wanted.drafts.toSorted(byStart);
  const wrongTimes = timeErrors(drafts, state);
  await nextTurn();
  const changed = new Set(await changedOf(drafts, wrongTimes, state));
  const sources = await lockSources(ctx, tx, ownerId, [...changed]);
  const errors = [...wanted.errors, ...wrongTimes.values()];
  for await (const part of batchesInTurns([...changed], programsOfTurn))
    errors.push(...part.flatMap((draft) => sourceError(sources, draft) ?? []));
  if (errors.length > 0) throw new ValidationError(errors.slice(0, maximumErrors).toSorted(byField));
  // A program that was changed may air again.
  const mayAirAgain = (draft: Draft) => draft.failureKey !== null && changed.has(draft);
  return drafts.map((draft) => (mayAirAgain(draft) ? { ...draft, failureKey: null } : draft));
}

/** The programs that are new, or play something else or at another time than they are stored. */
async function changedOf(
  drafts: readonly Draft[],
  wrongTimes: ReadonlyMap<Draft, FieldError>,
  { programs }: EditState,
): Promise<Draft[]> {
  const stored = new Map(programs.map((program) => [program.id, program]));
  const isChanged = (draft: Draft): boolean => {
    const present = stored.get(draft.id);
    return !present || !isSameTime(present, draft) || !isSameSource(present, draft);
  };
  const changed: Draft[] = [];
  for await (const part of batchesInTurns(drafts, programsOfTurn))
    changed.push(...part.filter((draft) => !wrongTimes.has(draft) && isChanged(draft)));
  return changed;
}

function byField(one: FieldError, other: FieldError): number {
  return one.field.localeCompare(other.field, 'en', { numeric: true });
}

function assertCounts(days: readonly Day[], drafts: readonly Draft[]): void {
  if (byDay(days, drafts).every(({ programs }) => programs.length <= maximumPrograms)) return;
  const key = 'cast.tooManyPrograms';
  throw new ValidationError([{ field: 'programs', code: 'tooManyPrograms', key, values: { limit: maximumPrograms } }]);
}

function frozen(free: Date, zone: TimeZone): ConflictError {
  const { date, time } = formatDateTime(free, zone);
  return new ConflictError({ key: 'cast.frozen', values: { from: `${date} ${time}` } });
}
