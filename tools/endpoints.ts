import { accessOf } from '../api/http/access.js';
import { routes } from '../api/routes.js';

/** Prints every endpoint: method, path, access, status of success, summary. */
const rows = routes.map(({ method, path, status, summary }) => [
  method.toUpperCase(),
  path,
  accessOf(path),
  String(status),
  summary,
]);
const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
