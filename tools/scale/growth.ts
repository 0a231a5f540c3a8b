import { exceptions } from './exceptions.js';
import type { PlannedStatement } from './plans.js';
import type { RecordedStatement } from './recordedStatements.js';

/** A statement in a small deployment and in one with ten times the rows. */
export interface ComparedStatement {
  readonly statement: RecordedStatement;
  readonly small: PlannedStatement;
  readonly large: PlannedStatement;
}

/** Sequential scans are permitted in tables up to this number of rows. */
const scannedRows = 10_000;
/**
 * Maximum growth of the cost with ten times the rows. An index lookup (logarithmic) grows by at most a third; the rest allows for
 * variation of the statistics' sample.
 */
const largestGrowth = 2.5;
/** In the planner's unit: about twenty-five random page reads. Lower costs are not compared. */
const negligibleCost = 100;
/**
 * Costs of the rows of a `LIMIT` are not compared either, because a small deployment may not have as many rows: each row is an
 * index lookup and a read. A small limit belongs to a sorted page.
 */
const limitedRowCost = 5;
const pageCost = 5_000;

/** The fault of a statement in a large deployment, as a sentence. Null: none. */
function faultOf({ statement, small, large }: ComparedStatement): string | null {
  const growth = large.cost / small.cost;
  const negligible = /\bLIMIT\b/.test(statement.text)
    ? Math.max(pageCost, large.limitRows * limitedRowCost)
    : negligibleCost;
  const grows = large.cost > negligible && growth > largestGrowth;
  // If an index with constant cost exists, PostgreSQL uses it as soon as the table is larger.
  const long = (grows ? large.scans : large.unindexed).filter(({ rows }) => rows > scannedRows);
  if (long.length > 0)
    return `reads all rows of ${long.map(({ table, rows }) => `${table} (${rows.toLocaleString('en-US')})`).join(', ')}`;
  return grows ? `costs ${growth.toFixed(1)} times as much with ten times the rows` : null;
}

/** The statements with a fault: the number of known ones (`exceptions.ts`), and all others. */
export function judge(compared: readonly ComparedStatement[]): {
  readonly faults: readonly (ComparedStatement & { readonly fault: string })[];
  readonly known: number;
  /** Exceptions that no statement of the complete run needs. */
  readonly unused: readonly string[];
} {
  const faulty = compared.flatMap((one) => {
    const fault = faultOf(one);
    return fault === null ? [] : [{ ...one, fault }];
  });
  const isOf = ({ file, text }: (typeof exceptions)[number], { from, text: sql }: RecordedStatement): boolean =>
    from.startsWith(`${file}:`) && sql.includes(text);
  const isKnown = ({ statement }: ComparedStatement): boolean => exceptions.some((one) => isOf(one, statement));
  return {
    faults: faulty.filter((one) => !isKnown(one)),
    known: faulty.filter(isKnown).length,
    unused: exceptions
      .filter((one) => !one.inTenth && !faulty.some(({ statement }) => isOf(one, statement)))
      .map(({ file, text }) => `${file}: ${text}`),
  };
}
