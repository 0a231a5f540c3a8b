import { meets, type Figure, type Measured } from './figure.js';

/** A figure with what came of it; a string says why nothing did. */
export interface Row {
  readonly figure: Figure;
  readonly measured: Measured | string;
}

/** The bench table as Markdown: the same text on the terminal and in `docs/bench.md`. Misses are called misses. */
export function benchTable(rows: readonly Row[]): string {
  return ['| Figure | Target | Measured | Ours | Beside it | |', '|---|---|---|---|---|---|', ...rows.map(line)].join(
    '\n',
  );
}

/** One row alone, for the terminal, as soon as it is known. */
export function line({ figure, measured }: Row): string {
  const unit = figure.targetUnit ? ` ${figure.targetUnit}` : '';
  const target =
    'atLeast' in figure.target ? `>= ${figure.target.atLeast}${unit}` : `<= ${figure.target.atMost}${unit}`;
  if (typeof measured === 'string') return `| ${figure.title} | ${target} | - | - | - | not measured: ${measured} |`;
  const verdict = meets(figure.target, measured.result) ? 'met' : '**missed**';
  const side = (value: number | null): string => (value === null ? '-' : `${significant(value)} ${measured.unit}`);
  const cells = [
    figure.title,
    target,
    `${significant(measured.result)}${unit}`,
    side(measured.ours),
    side(measured.reference),
    measured.note ? `${verdict} (${measured.note})` : verdict,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Three significant digits, without an exponent. */
function significant(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}
