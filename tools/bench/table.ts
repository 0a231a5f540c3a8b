import { meets, type Figure, type Measured } from './figure.js';

/** A figure and its result; a string is the reason why it was not measured. */
export interface Row {
  readonly figure: Figure;
  readonly measured: Measured | string;
}

/** The names of the columns; the column for the met target has no name. */
export function tableHead(...more: readonly string[]): string {
  const columns = ['Figure', 'Target', 'Measured', 'Ours', 'Reference', '', ...more];
  return `| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`;
}

/** The title and the target of a figure: the start of its row. */
export function rowStart({ title, target, targetUnit }: Figure): string {
  const unit = targetUnit ? ` ${targetUnit}` : '';
  return `| ${title} | ${'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`}${unit} |`;
}

/** One row of the table, printed as soon as it is measured. */
export function tableRow({ figure, measured }: Row): string {
  if (typeof measured === 'string') return `${rowStart(figure)} - | - | - | not measured: ${measured} |`;
  const unit = figure.targetUnit ? ` ${figure.targetUnit}` : '';
  const outcome = meets(figure.target, measured.result) ? 'met' : '**missed**';
  const side = (value: number | null): string => (value === null ? '-' : `${significant(value)} ${measured.unit}`);
  const cells = [
    `${significant(measured.result)}${unit}`,
    side(measured.ours),
    side(measured.reference),
    measured.note ? `${outcome} (${measured.note})` : outcome,
  ];
  return `${rowStart(figure)} ${cells.join(' | ')} |`;
}

/** Three significant digits, without an exponent. */
function significant(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}
