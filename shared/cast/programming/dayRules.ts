import type { ErrorValues, FieldError } from '../../platform/errors.js';
import { lengthOf, type Draft, type Source, type Times } from './draft.js';
import { maxProgramMs } from './program.queries.js';

/** The span in which the programs of an edit start, and the programs around it. */
export interface Surroundings {
  readonly from: Date;
  readonly until: Date;
  /** End of the last program that starts before `from`. Null: none ends after it. */
  readonly previousEnd: Date | null;
  /** Start of the first program at or after `until`. Null: there is none within a day. */
  readonly nextStart: Date | null;
}

/** The error of a program: its member, the message key, and the message's values. */
export function programError(field: string, key: string, values: ErrorValues = {}): FieldError {
  return { field, code: key.slice(key.lastIndexOf('.') + 1), key, values };
}

/** Checks the time rules of `docs/contract.md#choices-cast`: the first error of each program. Programs are sorted by start. */
export function timeErrors(drafts: readonly Draft[], surroundings: Surroundings): Map<Draft, FieldError> {
  let before: Draft | null = null;
  const errors = new Map<Draft, FieldError>();
  for (const draft of drafts) {
    const error = errorOf(draft, before, surroundings);
    // Programs are compared only with valid ones, so that one invalid program causes one error.
    if (error) errors.set(draft, error);
    else before = draft;
  }
  return errors;
}

function errorOf(draft: Draft, before: Draft | null, surroundings: Surroundings): FieldError | null {
  const { startsAt, endsAt, field } = draft;
  const { previousEnd, nextStart } = surroundings;
  if (startsAt < surroundings.from || startsAt >= surroundings.until)
    return programError(`${field}.startDate`, 'cast.otherDay');
  if (lengthOf(draft) <= 0) return programError(`${field}.endDate`, 'cast.endBeforeStart');
  if (lengthOf(draft) > maxProgramMs) return programError(`${field}.endDate`, 'cast.tooLong');
  if (before && startsAt < before.endsAt)
    return programError(`${field}.startDate`, 'cast.overlap', { title: before.title });
  if (previousEnd && startsAt < previousEnd) return programError(`${field}.startDate`, 'cast.overlapsDayBefore');
  if (nextStart && endsAt > nextStart) return programError(`${field}.endDate`, 'cast.overlapsDayAfter');
  return null;
}

/** Earliest start of the first program and latest end of the last one, for clients that edit a day. */
export function boundsOf({ from, until, previousEnd, nextStart }: Surroundings): Times {
  const latest = new Date(until.getTime() - 1000 + maxProgramMs);
  return {
    startsAt: previousEnd && previousEnd > from ? previousEnd : from,
    endsAt: nextStart && nextStart < latest ? nextStart : latest,
  };
}

type TimedProgram = Times & Source & { readonly id: string };

/**
 * Whether two versions of a day air the same before a moment. Descriptions may differ, and so may ends after that moment. A
 * break airs the same as a gap: the slate.
 */
export function airsSameUntil(free: Date, before: readonly TimedProgram[], after: readonly TimedProgram[]): boolean {
  return airedOf(free, before) === airedOf(free, after);
}

function airedOf(free: Date, programs: readonly TimedProgram[]): string {
  return programs
    .filter(({ type, startsAt }) => type !== 'BREAK' && startsAt < free)
    .map(({ id, startsAt, endsAt, type, boxItemId, streamId, offsetSeconds }) =>
      [
        ...[id, startsAt.getTime(), Math.min(endsAt.getTime(), free.getTime())],
        ...[type, boxItemId, streamId, offsetSeconds],
      ].join(' '),
    )
    .sort()
    .join('\n');
}
