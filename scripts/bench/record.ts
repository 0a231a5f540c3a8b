import { mkdir, writeFile } from 'node:fs/promises';
import type { Machine } from './machine.js';
import { benchTable, type Row } from './table.js';

const path = 'docs/bench.md';

/** Writes the record of a whole run, and resolves with where. Runs in the root of the project. */
export async function writeRecord(machine: Machine, rows: readonly Row[]): Promise<string> {
  await mkdir('docs', { recursive: true });
  await writeFile(path, recordOf(machine, rows, new Date()));
  return path;
}

function recordOf(machine: Machine, rows: readonly Row[], now: Date): string {
  const methods = rows.map(({ figure }) => `- **${figure.name}** (${figure.title}). ${figure.method}`);
  return `# Speed

Written by \`npm run bench\`; \`npm run bench -- <name>\` measures one figure and writes nothing.

Run of ${now.toISOString().slice(0, 10)} on ${machine.description}; load average at its start ${machine.load.toFixed(2)}.

Both sides of a figure are measured in one run, in turn, each round the other one first. "Measured" is the median of the
rounds' ratios (in parentheses how many rounds, and the lowest and highest ratio); the two columns beside it are medians
of their own. PostgreSQL is the embedded one, for both sides, with \`fsync\` and \`synchronous_commit\` off: what is measured
is our work, not the disk. Client, service and databases share the machine.

${benchTable(rows)}

## How each is measured

${[...new Set(methods)].join('\n')}
`;
}
