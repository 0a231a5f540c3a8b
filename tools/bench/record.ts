import { readFile, writeFile } from 'node:fs/promises';
import type { Figure } from './figure.js';
import { rowStart, tableHead, tableRow, type Row } from './table.js';

const path = 'docs/bench.md';

/** The table of `docs/bench.md`. Each row has its own date, because both sides of a figure are measured together. */
export interface BenchRecord {
  /** Writes a figure as soon as it is measured: an interrupted run keeps its results. */
  add(row: Row): Promise<void>;
}

/**
 * Opens the record. The working directory is the project's root. Omits rows of another machine, and rows of figures whose title,
 * target or method has changed.
 */
export async function openRecord(machine: string, figures: readonly Figure[]): Promise<BenchRecord> {
  const rows = recordedRows(await readFile(path, 'utf8').catch(emptyIfMissing), machine, figures);
  return {
    async add(row) {
      rows.set(row.figure.name, recordedRow(row, new Date()));
      await writeFile(path, recordText(machine, figures, rows));
    },
  };
}

/** A row of the table with the day of its measurement. */
export function recordedRow(row: Row, now: Date): string {
  return `${tableRow(row)} ${now.toISOString().slice(0, 10)} |`;
}

/** The rows of a written record, by the names of their figures. */
export function recordedRows(text: string, machine: string, figures: readonly Figure[]): Map<string, string> {
  const lines = text.split('\n');
  if (!lines.includes(machineLine(machine))) return new Map();
  return new Map(
    figures.flatMap((figure) => {
      const line = lines.find((one) => one.startsWith(rowStart(figure)));
      return line && lines.includes(methodLine(figure)) ? [[figure.name, line]] : [];
    }),
  );
}

/** The record as Markdown. */
export function recordText(machine: string, figures: readonly Figure[], rows: ReadonlyMap<string, string>): string {
  return `# Speed

\`npm run bench\` writes this page, figure by figure; \`npm run bench -- --from <name>\` starts at a figure and measures all that follow.
\`npm run bench -- <name>\` measures one figure and writes nothing.

${machineLine(machine)}

Both sides of a figure are measured alternately in one run; the first side changes in each round. "Measured" is the median ratio of the rounds (in
parentheses their number, and the lowest and highest ratio); the next two columns are the medians of each side. Both sides use the embedded
PostgreSQL with \`fsync\` and \`synchronous_commit\` off, to exclude the disk. Client, service and databases run on the same machine.

${tableHead('Day')}
${figures.map((figure) => rows.get(figure.name) ?? `${rowStart(figure)} - | - | - | not measured yet | - |`).join('\n')}

## Why and how each is measured

${figures.map(methodLine).join('\n')}
`;
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

function methodLine({ name, title, reason, method }: Figure): string {
  return `- **${name}** (${title}). ${reason} ${method}`;
}

function machineLine(machine: string): string {
  return `Measured on ${machine}.`;
}
