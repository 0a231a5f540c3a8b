import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapi } from '../../api/http/openapi.js';
import type { Route } from '../../api/http/route.js';
import { routes } from '../../api/routes.js';
import { readConfig } from '../../shared/settings.js';
import { testEnvironment } from './environment.js';

/** Folder of this test run, created and removed by `npm test`. Undefined where mocha was started in another way. */
const folder = process.env['TEST_RUN_DIR'];
const noted = new Set<string>();
/** Every operation documents these (413: with a JSON body), and tests of the HTTP framework see them for all. */
const ofAllOperations = new Set(['413', '429', '500', '503', 'default']);

/** Records that a test has received a status of an operation. */
export function noteStatus(route: Route | undefined, status: number): void {
  if (!route || folder === undefined) return;
  const line = `${operationOf(route)} ${status}`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(join(folder, `statuses-${process.pid}`), `${line}\n`);
}

/** Documented statuses that no test of this run has received, one line for each operation. */
export function unseenStatuses(): string[] {
  if (folder === undefined) return [];
  const files = readdirSync(folder).filter((name) => name.startsWith('statuses-'));
  const seen = new Set(files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')));
  const config = readConfig('web', testEnvironment('postgres://localhost/none', 'data'));
  const { paths } = openapi(routes, config) as { paths: Record<string, Record<string, { responses: object }>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) => {
      const operation = `${method.toUpperCase()} ${path}`;
      const unseen = Object.keys(responses).filter(
        (status) => !ofAllOperations.has(status) && !seen.has(`${operation} ${status}`),
      );
      return unseen.length === 0 ? [] : [`${operation}: ${unseen.join(', ')}`];
    }),
  );
}

function operationOf({ method, path }: Route): string {
  return `${method.toUpperCase()} ${path.replace(/[:*](\w+)/g, '{$1}')}`;
}
