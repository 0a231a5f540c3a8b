import { meets, type Figure, type Measured } from './figure.js';

/** A figure and its result; a string is the reason why it was not measured. */
export interface Row {
  readonly figure: Figure;
  readonly measured: Measured | string;
}

/** The bench table as Markdown, for the terminal and for `docs/bench.md`. */
export function benchTable(rows: readonly Row[]): string {
  return [
    '| Figure | Target | Measured | Ours | Reference | |',
    '|---|---|---|---|---|---|',
    ...rows.map(tableRow),
  ].join('\n');
}

/** One row of the table, printed as soon as it is measured. */
export function tableRow({ figure, measured }: Row): string {
  const unit = figure.targetUnit ? ` ${figure.targetUnit}` : '';
  const target =
    'atLeast' in figure.target ? `>= ${figure.target.atLeast}${unit}` : `<= ${figure.target.atMost}${unit}`;
  if (typeof measured === 'string') return `| ${figure.title} | ${target} | - | - | - | not measured: ${measured} |`;
  const outcome = meets(figure.target, measured.result) ? 'met' : '**missed**';
  const side = (value: number | null): string => (value === null ? '-' : `${significant(value)} ${measured.unit}`);
  const cells = [
    figure.title,
    target,
    `${significant(measured.result)}${unit}`,
    side(measured.ours),
    side(measured.reference),
    measured.note ? `${outcome} (${measured.note})` : outcome,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Three significant digits, without an exponent. */
function significant(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}
