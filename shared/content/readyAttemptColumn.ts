/**
 * SQL: `ready_attempt` of rows of `contents`. Only quick generations are copied, and they have no grid. A worker of the release before
 * this column makes a full generation READY without resetting the column.
 */
export function readyAttemptColumn(contents: string): string {
  return `CASE WHEN ${contents}.ready_grid IS NULL THEN ${contents}.ready_attempt END AS ready_attempt`;
}
