import { byDay, type Day } from './day.js';
import { breakSource, keptDraft, newDraft, type Draft } from './draft.js';
import { longestProgramMs, type Program } from './program.queries.js';
import { byStart, gapsIn } from './programming.js';

/**
 * The programs of some days, which are in order of time, with a break in each gap between two programs of a day (`docs/contract.md#choices-cast`). A stored
 * break that starts at the same time is kept, with its title.
 */
export function withBreaks(
  drafts: readonly Draft[],
  days: readonly Day[],
  stored: readonly Program[],
  title: string,
): Draft[] {
  const kept = new Set(drafts.map(({ id }) => id));
  const breaks = stored.filter(({ id, type }) => type === 'BREAK' && !kept.has(id));
  const storedAt = new Map(breaks.map((program) => [program.startsAt.getTime(), program]));
  const field = 'programs';
  const added = byDay(days, drafts).flatMap(({ programs }) =>
    gapsIn(programs, longestProgramMs).map((gap) => {
      const present = storedAt.get(gap.startsAt.getTime());
      if (present) return { ...keptDraft(present, field), ...gap };
      const described = { title, description: null, thumbnailId: null, tags: [] };
      return newDraft({ ...gap, ...breakSource, ...described, field });
    }),
  );
  return [...drafts, ...added].toSorted(byStart);
}
