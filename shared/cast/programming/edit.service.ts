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
 * Edits of the daily programming: `docs/contract.md#choices-cast`. `changes.ts` computes the programs of each kind of edit; all
 * other steps are the same for all kinds, in the order of the diagram in `docs/decisions/cast.md#programming`. Throws
 * NotFoundError; ValidationError with one error for each invalid program; ConflictError if the edit would change decided
 * playout; PreconditionFailedError if the day has changed since the caller read it; TooManyRequestsError if too many edits of
 * the same user wait; UnavailableError if too many edits of several days wait.
 */

/** Maximum of one day, so that a client can send a complete day within the request size limit. */
export const maxPrograms = 400;

/** Concurrent edits of one user in one process. Each waits for its channel's row lock on a separate database connection. */
const editsOfUser = 2;

/** An edit of many days reports only the first errors. */
const maxErrors = maxPrograms;

/** Programs that are checked before the function yields to the event loop. */
const programsPerBatch = 1_000;

/** The user who edits. */
export interface Editor {
  readonly ownerId: string;
  /** Time zone of the dates and times in the request. */
  readonly zone: TimeZone;
  /** Language of the break titles. */
  readonly language: Language;
}

/** The edited channel and its editor. */
export interface Edit extends Editor {
  readonly channelId: string;
  /** Request header: entity tags of the day that the caller has read. */
  readonly ifMatch?: string | undefined;
}

/** Edits one day, and resolves with the changed day. */
export function editDay(ctx: Context, edit: Edit, civil: CivilDay, change: Change): Promise<OwnDay> {
  return runEdit(ctx, edit, [dayOf(edit.zone, civil)], change, (tx) => readOwnDay(ctx, edit, civil, tx));
}

/** Edits consecutive days: all of them, or none. */
export function editDays(ctx: Context, edit: Edit, { first, count }: CivilDays, change: Change): Promise<void> {
  return runEdit(ctx, edit, daysFrom(edit.zone, first, count), change, async () => {});
}

/**
 * Runs an edit in one transaction. Edits of one channel are serialised across processes, because each locks the channel's row
 * first; two channels are locked in the order of their ids.
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
  // Checked before the edit waits for a slot.
  for (const id of channelIds) await ownCastChannel(ctx, { channelId: id, ownerId });
  const dayCount = Math.max(days.length, change.copiedFrom?.days.length ?? 0);
  return inEditSlot(ctx, ownerId, dayCount, async (tx) => {
    for (const id of channelIds.toSorted()) await lockCastChannel(ctx, tx, { channelId: id, ownerId });
    const found = await findDays(ctx, tx, edit, days, change);
    const sources = await lockSources(ctx, tx, ownerId, change.names(found));
    const requested = await change.programs({ ...found, sources });
    const drafts = await checkedDrafts(found, sources, requested);
    const after = withBreaks(drafts, days, found.programs, found.breakTitle);
    await yieldToEventLoop();
    assertDaysNotFull(days, after);
    assertNotFrozen(found, after);
    await assertFewPrograms(ctx, tx, channelId, after.length - found.programs.length);
    await writePrograms(ctx, tx, { ...edit, channelId }, { before: found.programs, after });
    return read(tx);
  });
}

/** Runs the transaction of an edit of `dayCount` days when the user has a free slot. */
function inEditSlot<Result>(
  ctx: Context,
  ownerId: string,
  dayCount: number,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const edit = () => concurrency(ctx).runInSlot(`cast-edit:${ownerId}`, editsOfUser, () => ctx.db.transaction(work));
  return dayCount === 1 ? edit() : calendarSlots(ctx).edits.run(ownerId, edit);
}

/** Reads the days and their surroundings, and locks the playout, so that no more of it is decided. */
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

/** The valid programs in order of time. Throws ValidationError. */
async function checkedDrafts(found: FoundDays, sources: Sources, requested: RequestedPrograms): Promise<Draft[]> {
  const drafts = requested.drafts.toSorted(byStart);
  const wrongTimes = timeErrors(drafts, found);
  await yieldToEventLoop();
  const stored = new Map(found.programs.map((program) => [program.id, program]));
  const errors = [...requested.errors, ...wrongTimes.values()];
  const checked: Draft[] = [];
  for await (const part of yieldingBatches(drafts, programsPerBatch)) {
    for (const draft of part) {
      const isChanged = !wrongTimes.has(draft) && !isPlayedAs(stored.get(draft.id), draft);
      const error = isChanged ? sourceError(sources, draft) : null;
      if (error) errors.push(error);
      // A changed program may air again.
      checked.push(isChanged && draft.failureKey !== null ? { ...draft, failureKey: null } : draft);
    }
  }
  if (errors.length > 0) throw new ValidationError(errors.slice(0, maxErrors).toSorted(byField));
  return checked;
}

/** Whether the stored program has the same source and times. */
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
