import { SingleBar } from 'cli-progress';
import type { OpenContext } from '../shared/openContext.js';
import { indexes } from '../shared/indexes.js';
import type { RebuildProgress } from '../shared/platform/search/index.js';
import { runOnService } from './onService.js';

/** Shows the progress of one rebuild. */
interface Display {
  readonly show: RebuildProgress;
  readonly end: (outcome: string) => void;
}

/**
 * Rebuilds search indexes, all or those named, in every configured engine. A new index is built next to the one in use and then
 * replaces it: searches continue, and concurrent changes are not lost. Resolves with the exit code.
 */
export async function reindex(ctx: OpenContext, names: readonly string[], output: NodeJS.WriteStream): Promise<number> {
  const known = indexes.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    output.write(`There is no index ${unknown.join(', ')}. Indexes: ${known.join(', ')}.\n`);
    return 1;
  }
  let failures = 0;
  for (const engine of ctx.search.maintenance.engines) {
    for (const name of names.length > 0 ? names : known) {
      const display = createDisplay(`${engine} ${name}`, output);
      const outcome = await ctx.search.maintenance.rebuild(engine, name, undefined, display.show).then(
        (built) => (built ? 'rebuilt' : 'is being rebuilt by another process'),
        (error: unknown) => {
          failures += 1;
          return `failed: ${error instanceof Error ? error.message : String(error)}`;
        },
      );
      display.end(outcome);
    }
  }
  return failures === 0 ? 0 : 1;
}

/** A progress bar on a terminal; otherwise a line for every ten percent and one at the end. */
function createDisplay(title: string, output: NodeJS.WriteStream): Display {
  let count = 0;
  if (!output.isTTY) {
    let tenths = 0;
    return {
      show(done, total) {
        count = done;
        const reached = Math.floor((done / total) * 10);
        if (reached > tenths && reached < 10) output.write(`${title}: ${done} of ${total}\n`);
        tenths = Math.max(tenths, reached);
      },
      end: (outcome) => void output.write(`${title}: ${outcome}, ${count} documents\n`),
    };
  }
  const bar = new SingleBar({
    format: `${title.padEnd(24)} {bar} {value}/{total}  {outcome}`,
    stream: output,
    hideCursor: true,
  });
  bar.start(0, 0, { outcome: '' });
  return {
    show(done, total) {
      count = done;
      bar.setTotal(Math.max(done, total));
      bar.update(done);
    },
    end(outcome) {
      bar.update(count, { outcome });
      bar.stop();
    },
  };
}

await runOnService(import.meta, reindex);
