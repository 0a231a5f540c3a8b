import { mkdir, writeFile } from 'node:fs/promises';
import type { Machine } from './machine.js';
import { benchTable, type Row } from './table.js';

const path = 'docs/bench.md';

/** Writes the record of a complete run, and resolves with its path. The working directory is the project's root. */
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

Both sides of a figure are measured alternately in one run; each round the other side is first. "Measured" is the median
of the rounds' ratios (in parentheses the number of rounds, and the lowest and highest ratio); the next two columns are
the medians of each side. Both sides use the embedded PostgreSQL with \`fsync\` and \`synchronous_commit\` off: the figures
measure our work, not the disk. Client, service and databases run on the same machine.

${benchTable(rows)}

## How each is measured

${[...new Set(methods)].join('\n')}
`;
}
