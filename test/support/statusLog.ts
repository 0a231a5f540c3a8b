import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '../../api/http/route.js';
import { describedService, operationName } from './responseCheck.js';

/** Folder of this test run, created and removed by `npm test`. Undefined if mocha was started in another way. */
const folder = process.env['TEST_RUN_DIR'];
const noted = new Set<string>();
/** Every operation documents these (408, 413 and 415: with a body), and tests of the HTTP framework receive them for all. */
const ofAllOperations = new Set(['400', '408', '413', '415', '429', '500', '503']);

/** Records that a test has received a status of an operation. */
export function noteStatus(route: Route | undefined, status: number): void {
  if (!route || folder === undefined) return;
  const line = `${operationName(route)} ${status}`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(join(folder, `statuses-${process.pid}`), `${line}\n`);
}

/** Documented statuses that no test of this run has received, one line per operation. */
export function unseenStatuses(): string[] {
  if (folder === undefined) return [];
  const files = readdirSync(folder).filter((name) => name.startsWith('statuses-'));
  const seen = new Set(files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')));
  return Object.entries(describedService().paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) => {
      const operation = `${method.toUpperCase()} ${path}`;
      const unseen = Object.keys(responses).filter(
        (status) => !ofAllOperations.has(status) && !seen.has(`${operation} ${status}`),
      );
      return unseen.length === 0 ? [] : [`${operation}: ${unseen.join(', ')}`];
    }),
  );
}
