import type { Context } from '../shared/platform/context.js';
import { reprocessableContents, reprocessContent, type Period } from '../shared/content/reprocessing.lifecycle.js';
import { isUuid } from '../shared/platform/formats/format.js';
import { runOnService } from './onService.js';

const usage = `npm run reprocess -- <content id> ... [--yes]
npm run reprocess -- --failed <key> --from <time> --until <time> [--yes]
npm run reprocess -- --uploaded --from <time> --until <time> [--yes]
Processes contents again from their stored sources: the named contents (the resourceId of a box item, the contentId of the log),
contents that failed in a period with a key such as content.failure.unreadable, or all contents that were uploaded in a period,
including READY ones. Format of a time: 2026-11-28T09:00:00Z. READY contents keep playing meanwhile. Without --yes it only prints the
contents. The command can be repeated: a content that is being processed is skipped.
`;
const outcomes = {
  BEGUN: 'is processed again',
  IN_PROGRESS: 'is already being processed',
  TOO_OFTEN: 'was reprocessed too often',
  SOURCE_GONE: 'cannot be processed: its source was deleted',
  DELETED: 'does not exist',
};

/** Processes contents again, or lists them without `--yes`. Resolves with the exit code. */
export async function reprocess(
  ctx: Context,
  parameters: readonly string[],
  output: NodeJS.WriteStream,
): Promise<number> {
  const isConfirmed = parameters.includes('--yes');
  const words = parameters.filter((word) => word !== '--yes');
  const selection = selectionOf(ctx, words);
  if (!selection) {
    output.write(usage);
    return 1;
  }
  let [found, left] = [0, 0];
  for await (const { id, description } of selection) {
    found += 1;
    const outcome = isConfirmed ? await reprocessContent(ctx, id, { by: 'OPERATOR' }) : null;
    if (outcome === 'SOURCE_GONE' || outcome === 'DELETED') left += 1;
    output.write(`content   ${id} ${outcome === null ? description : outcomes[outcome]}\n`);
  }
  if (found > 0 && !isConfirmed) output.write(`Nothing was changed. With --yes these ${found} are processed again.\n`);
  if (found === 0) output.write('No matching content has finished processing.\n');
  return left === 0 ? 0 : 1;
}

interface Selected {
  readonly id: string;
  readonly description: string;
}

/** Null: the parameters are invalid. */
function selectionOf(ctx: Context, words: readonly string[]): AsyncIterable<Selected> | Iterable<Selected> | null {
  if (words.length > 0 && words.every(isUuid))
    return words.map((word) => ({ id: word.toLowerCase(), description: 'named' }));
  const [kind, ...rest] = words;
  const [failureKey, times] = kind === '--failed' ? [rest[0], rest.slice(1)] : [null, rest];
  const [fromWord, from, untilWord, until, ...more] = times;
  const period = { from: new Date(from ?? ''), until: new Date(until ?? '') };
  const isPeriod = fromWord === '--from' && untilWord === '--until' && more.length === 0;
  const isValid = isPeriod && period.from.getTime() < period.until.getTime();
  if (!isValid || (kind !== '--failed' && kind !== '--uploaded') || failureKey === undefined) return null;
  return selected(ctx, period, failureKey);
}

async function* selected(ctx: Context, period: Period, failureKey: string | null): AsyncGenerator<Selected> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await reprocessableContents(ctx, period, failureKey, after);
    for (const { id, state, failureKey: failure, sourceName } of page)
      yield { id, description: [state, failure, `“${sourceName}”`].filter(Boolean).join(' ') };
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

await runOnService(import.meta, reprocess);
