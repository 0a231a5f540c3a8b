import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Warnings of Node, of this process and of those that tests start. */
const warnings: string[] = [];

/** Says nothing about this project: the AWS SDK names the Node version that its releases of next year need. */
const exempt = /NodeVersionSupportWarning/;
/** How Node prints a warning: `(node:4711) [DEP0005] DeprecationWarning: ...`. */
const printedWarning = /\(node:\d+\) (.*)/;

function note(text: string): void {
  if (!exempt.test(text)) warnings.push(text);
}

/** Notes the warnings of this process. */
export function watchOwnWarnings(): void {
  process.on('warning', ({ name, message, stack }) => note(stack ?? `${name}: ${message}`));
}

/** Notes the warnings that a child process prints. Called with the streams that its parent reads. */
export function watchPrintedWarnings(...streams: readonly (Readable | null)[]): void {
  for (const input of streams) {
    if (!input) continue;
    createInterface({ input }).on('line', (line) => {
      const [, warning] = printedWarning.exec(line) ?? [];
      if (warning !== undefined) note(`of a process that the test has started: ${warning}`);
    });
  }
}

/** The warnings since the last time. */
export function takeWarnings(): string[] {
  return warnings.splice(0);
}
