import type { FuzzReport } from './fuzz.js';

/** The report that `npm run fuzz` prints: statuses by operation, then the findings. */
export function reportOf({ findings, statuses }: FuzzReport): string {
  const rows = Object.entries(statuses).map(([operation, counts]) => {
    const all = Object.entries(counts).map(([status, count]) => `${status}: ${count}`);
    return `  ${operation.padEnd(66)} ${all.join(', ')}`;
  });
  const requests = Object.values(statuses).flatMap((counts) => Object.values(counts));
  const total = requests.reduce((sum, count) => sum + count, 0);
  const found = findings.map(({ operation, fault, curl }) => `\n${operation}: ${fault}\n  ${curl}`);
  const summary =
    findings.length === 0
      ? 'No status of 500 or above, and every response matches its description.'
      : `${findings.length} operations with wrong responses:`;
  return [...rows, '', `${total} requests to ${rows.length} operations. ${summary}`, ...found].join('\n');
}
