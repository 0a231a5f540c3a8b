import type { Source } from './draft.js';
import type { Times } from './programming.js';

type TimedProgram = Times & Source & { readonly id: string };

/**
 * Whether two versions of a day air the same before a moment. A program may be described otherwise, and end otherwise after
 * that moment. A break airs the same as nothing: the slate.
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
