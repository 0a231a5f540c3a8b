/**
 * The rows of a test table. A run of all tests uses those named in `everyRun`, one for each path through the code; all rows
 * run at night and if a test file is named (`TEST_TABLES=whole`, set by `tools/test.ts`).
 */
export function rowsOf<Row extends { readonly name: string }>(
  table: readonly Row[],
  everyRun: readonly string[],
): readonly Row[] {
  const missing = everyRun.filter((name) => table.every((row) => row.name !== name));
  if (missing.length > 0) throw new Error(`the table has no row ${missing.join(', ')}`);
  return process.env['TEST_TABLES'] === 'whole' ? table : table.filter(({ name }) => everyRun.includes(name));
}
