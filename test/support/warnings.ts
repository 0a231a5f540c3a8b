import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Warnings of Node and invalid log lines, of this process and of the processes that tests start. */
const warnings: string[] = [];

/** Node's format of a warning: `(node:4711) [DEP0005] DeprecationWarning: ...`. */
const printedWarning = /\(node:\d+\) (.*)/;

/** Records the warnings of this process. */
export function watchOwnWarnings(): void {
  process.on('warning', ({ name, message, stack }) => warnings.push(stack ?? `${name}: ${message}`));
}

/** Records the warnings that a child process prints. Called with the streams that its parent reads. */
export function watchPrintedWarnings(...streams: readonly (Readable | null)[]): void {
  for (const input of streams) {
    if (!input) continue;
    createInterface({ input }).on('line', (line) => {
      const [, warning] = printedWarning.exec(line) ?? [];
      if (warning !== undefined) warnings.push(`of a process that the test has started: ${warning}`);
    });
  }
}

/** Records each log line with a duplicate member: the line of a child logger that repeats one of its bindings. */
export function watchLog(input: Readable | null): void {
  if (input) createInterface({ input }).on('line', watchLogLine);
}

export function watchLogLine(line: string): void {
  if (hasMemberTwice(line.trim())) warnings.push(`log line has a member twice: ${line}`);
}

/** Parsing keeps one of two equal members. False for an incomplete line. */
function hasMemberTwice(line: string): boolean {
  try {
    return line.startsWith('{') && JSON.stringify(JSON.parse(line)).length < line.length;
  } catch {
    return false;
  }
}

/** The warnings since the previous call. */
export function takeWarnings(): string[] {
  return warnings.splice(0);
}
