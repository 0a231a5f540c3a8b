import { isOwnThumbnail } from '../../content/thumbnail.service.js';
import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import type { FieldError } from '../../platform/errors.js';
import type { TimeZone } from '../../platform/formats/timeZone.js';
import type { ProgramType } from '../cast.model.js';
import { programError } from './dayErrors.js';
import { breakSource, matchKey, newDraft, type Draft, type Source } from './draft.js';
import type { Editor, WantedPrograms } from './edit.js';
import { readTimes, type SentTimes } from '../../platform/formats/localTimes.js';
import type { Program } from './program.queries.js';
import type { Times } from './programming.js';
import { descriptionOf, lockSources, type ProgramSourceDescription } from './sources.queries.js';

/** A program of a day that is saved: `docs/contract.md#cast`. What is left out stays as it is, where `programId` is given. */
export interface ProgramEntry extends SentTimes {
  readonly programId?: string | undefined;
  readonly type?: ProgramType | undefined;
  readonly sourceId?: string | undefined;
  readonly offsetSeconds?: number | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly thumbnailId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

interface ReadEntry extends Times, Source {
  readonly entry: ProgramEntry;
  readonly field: string;
  /** The stored program that it is. */
  program: Program | undefined;
}

/**
 * The programs of a day as a request sends them. An entry without `programId` that starts and plays as a stored program does is
 * that program, so that programs keep their ids also with clients that do not send them.
 */
export async function draftsOfEntries(
  ctx: Context,
  tx: Transaction,
  editor: Editor,
  { programs, entries }: { readonly programs: readonly Program[]; readonly entries: readonly ProgramEntry[] },
): Promise<WantedPrograms> {
  const { read, errors } = readEntries(editor.zone, programs, entries);
  const sources = await lockSources(ctx, tx, editor.ownerId, read);
  const breakTitle = ctx.translate(editor.language, 'cast.break');
  const drafts: Draft[] = [];
  for (const one of read) {
    const shown = descriptionOf(sources, one);
    const thumbnailId = await thumbnailOf(ctx, tx, editor.ownerId, one, shown);
    if (thumbnailId === undefined) errors.push(programError(`${one.field}.thumbnailId`, 'box.thumbnailUnknown'));
    else drafts.push(draftOf(one, shown, thumbnailId, breakTitle));
  }
  return { drafts, errors };
}

function readEntries(
  zone: TimeZone,
  programs: readonly Program[],
  entries: readonly ProgramEntry[],
): { readonly read: readonly ReadEntry[]; readonly errors: FieldError[] } {
  const unclaimed = new Map(programs.map((program) => [program.id, program]));
  const ids = new Set(unclaimed.keys());
  const errors: FieldError[] = [];
  const read: ReadEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const field = `programs[${index}]`;
    const program = entry.programId === undefined ? undefined : unclaimed.get(entry.programId);
    if (entry.programId !== undefined && !program) {
      const key = ids.has(entry.programId) ? 'cast.programTwice' : 'cast.programUnknown';
      errors.push(programError(`${field}.programId`, key));
      continue;
    }
    if (program) unclaimed.delete(program.id);
    const one = readEntry(zone, { entry, field, program }, read.at(-1)?.endsAt);
    if ('code' in one) errors.push(one);
    else read.push(one);
  }
  matchOthers(read, [...unclaimed.values()]);
  return { read, errors };
}

function readEntry(
  zone: TimeZone,
  { entry, field, program }: Pick<ReadEntry, 'entry' | 'field' | 'program'>,
  previousEnd: Date | undefined,
): ReadEntry | FieldError {
  const { startsAt, endsAt } = readTimes(zone, entry, program, previousEnd);
  if (!startsAt) return programError(`${field}.startDate`, 'validation.noSuchTime');
  if (!endsAt) return programError(`${field}.endDate`, 'validation.noSuchTime');
  const source = readSource(entry, program);
  if (typeof source === 'string') return programError(`${field}.${source}`, 'validation.required');
  return { entry, field, program, startsAt, endsAt, ...source };
}

/** What an entry plays, or the name of the member that is missing. */
function readSource(entry: ProgramEntry, program: Program | undefined): Source | 'programType' | 'sourceId' {
  const type = entry.type ?? program?.type;
  if (type === undefined) return 'programType';
  if (type === 'BREAK') return breakSource;
  const stored = program?.type === type ? (program.boxItemId ?? program.streamId) : null;
  const sourceId = entry.sourceId ?? stored;
  if (sourceId === null) return 'sourceId';
  if (type === 'LIVE') return { ...breakSource, type, streamId: sourceId };
  const offsetSeconds = entry.offsetSeconds ?? (sourceId === stored ? program?.offsetSeconds : undefined) ?? 0;
  return { type, boxItemId: sourceId, streamId: null, offsetSeconds };
}

/** Gives entries without a program those stored ones that start at the same time and play the same. */
function matchOthers(read: readonly ReadEntry[], programs: readonly Program[]): void {
  const unclaimed = new Map(programs.map((program) => [matchKey(program), program]));
  for (const one of read) {
    if (one.program) continue;
    const key = matchKey(one);
    one.program = unclaimed.get(key);
    unclaimed.delete(key);
  }
}

/**
 * The chosen thumbnail; null: that of the source is shown, which clients send back as they have read it. Undefined: it is not
 * the owner's.
 */
async function thumbnailOf(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  { entry: { thumbnailId: sent }, program }: ReadEntry,
  shown: ProgramSourceDescription | null,
): Promise<string | null | undefined> {
  if (sent === undefined || sent === program?.thumbnailId) return program?.thumbnailId ?? null;
  if (sent === shown?.thumbnailId) return null;
  return (await isOwnThumbnail(ctx, tx, ownerId, sent)) ? sent : undefined;
}

function draftOf(
  { entry, field, program, startsAt, endsAt, type, boxItemId, streamId, offsetSeconds }: ReadEntry,
  shown: ProgramSourceDescription | null,
  thumbnailId: string | null,
  breakTitle: string,
): Draft {
  const draft = newDraft({
    ...{ field, startsAt, endsAt, type, boxItemId, streamId, offsetSeconds, thumbnailId },
    title: entry.title ?? program?.title ?? shown?.title ?? breakTitle,
    description: entry.description ?? (program ?? shown)?.description ?? null,
    tags: entry.tags ?? (program ?? shown)?.tags ?? [],
  });
  return program ? { ...draft, id: program.id, failureKey: program.failureKey } : draft;
}
