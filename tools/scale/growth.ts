import { exceptions } from './exceptions.js';
import type { PlannedStatement } from './plans.js';
import type { RecordedStatement } from './recordedStatements.js';

/** A statement in a small deployment and in one with ten times the rows. */
export interface ComparedStatement {
  readonly statement: RecordedStatement;
  readonly small: PlannedStatement;
  readonly large: PlannedStatement;
}

/** Reads from the first row to the last are permitted in tables that stay small. */
const scannedRows = 10_000;
/** The logarithm of ten times the rows is at most a third more. The rest is what the sample of the statistics varies by. */
const largestGrowth = 2.5;
/** In the unit of the planner: about twenty-five pages that are read at random. Less is not compared. */
const negligibleCost = 100;
/**
 * Nor is what the rows of a `LIMIT` cost, which a small deployment may not have: each is looked up in an index, and read. A small limit
 * is that of a page, which is sorted.
 */
const limitedRowCost = 5;
const pageCost = 5_000;

/** What is wrong with a statement in a large deployment, in a sentence. Null: nothing. */
function faultOf({ statement, small, large }: ComparedStatement): string | null {
  const growth = large.cost / small.cost;
  const negligible = /\bLIMIT\b/.test(statement.text)
    ? Math.max(pageCost, large.limitRows * limitedRowCost)
    : negligibleCost;
  const grows = large.cost > negligible && growth > largestGrowth;
  // Where an index would do whose cost does not grow, PostgreSQL takes it as soon as the table is larger.
  const long = (grows ? large.scans : large.unindexed).filter(({ rows }) => rows > scannedRows);
  if (long.length > 0)
    return `reads all rows of ${long.map(({ table, rows }) => `${table} (${rows.toLocaleString('en-US')})`).join(', ')}`;
  return grows ? `costs ${growth.toFixed(1)} times as much with ten times the rows` : null;
}

/** The statements with a fault: those that are known, each with its reason, and all others. */
export function judge(compared: readonly ComparedStatement[]): {
  readonly faults: readonly (ComparedStatement & { readonly fault: string })[];
  readonly known: number;
  /** Exceptions that no statement needs, in the whole run. */
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
