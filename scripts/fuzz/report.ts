import type { FuzzReport } from './fuzz.js';

/** What was asked, and what was found, for a reader. */
export function reportOf({ findings, statuses }: FuzzReport): string {
  const rows = Object.entries(statuses).map(([operation, counts]) => {
    const all = Object.entries(counts).map(([status, count]) => `${status}: ${count}`);
    return `  ${operation.padEnd(66)} ${all.join(', ')}`;
  });
  const requests = Object.values(statuses).flatMap((counts) => Object.values(counts));
  const total = requests.reduce((sum, count) => sum + count, 0);
  const found = findings.map(({ operation, fault, curl }) => `\n${operation}: ${fault}\n  ${curl}`);
  const verdict =
    findings.length === 0
      ? 'No status of 500 and above, and no answer outside its description.'
      : `${findings.length} operations answer what they should not:`;
  return [...rows, '', `${total} requests to ${rows.length} operations. ${verdict}`, ...found].join('\n');
}
