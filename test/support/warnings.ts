import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Warnings of Node and faults of log lines, of this process and of those that tests start. */
const warnings: string[] = [];

/** How Node prints a warning: `(node:4711) [DEP0005] DeprecationWarning: ...`. */
const printedWarning = /\(node:\d+\) (.*)/;

/** Notes the warnings of this process. */
export function watchOwnWarnings(): void {
  process.on('warning', ({ name, message, stack }) => warnings.push(stack ?? `${name}: ${message}`));
}

/** Notes the warnings that a child process prints. Called with the streams that its parent reads. */
export function watchPrintedWarnings(...streams: readonly (Readable | null)[]): void {
  for (const input of streams) {
    if (!input) continue;
    createInterface({ input }).on('line', (line) => {
      const [, warning] = printedWarning.exec(line) ?? [];
      if (warning !== undefined) warnings.push(`of a process that the test has started: ${warning}`);
    });
  }
}

/** Notes each line of a log that has a member twice: the line of a child logger that repeats one of its bindings. */
export function watchLog(input: Readable | null): void {
  if (input) createInterface({ input }).on('line', watchLogLine);
}

export function watchLogLine(line: string): void {
  if (hasMemberTwice(line.trim())) warnings.push(`log line has a member twice: ${line}`);
}

/** Parsing keeps one of the two. False for a line that is not complete. */
function hasMemberTwice(line: string): boolean {
  try {
    return line.startsWith('{') && JSON.stringify(JSON.parse(line)).length < line.length;
  } catch {
    return false;
  }
}

/** The warnings since the last time. */
export function takeWarnings(): string[] {
  return warnings.splice(0);
}
