interface Planted {
  readonly title: string;
  /** One line: the body of a function with the argument `db`. */
  readonly code: string;
  /** The expected report after file and line. Empty: no report. */
  readonly expected: string;
}

/** Statements with one fault each, and some without a fault. */
export const planted: readonly Planted[] = [
  {
    title: 'a property that is not a column',
    code: `return db.rows<{ id: string; nickname: string }>('SELECT id FROM users');`,
    expected: 'the row type has nickname, which is not a column',
  },
  {
    title: 'a column that is not in the row type',
    code: `return db.rows<{ id: string }>('SELECT id, user_code FROM users');`,
    expected: 'the column user_code is not in the row type',
  },
  {
    title: 'a wrong type',
    code: `return db.rows<{ createdAt: string }>('SELECT created_at FROM users');`,
    expected: 'the column created_at is timestamptz, but createdAt is declared string',
  },
  {
    title: 'a wrong element type of an array',
    code: `return db.rows<{ tags: number[] }>('SELECT tags FROM bundles');`,
    expected: 'the column tags is _text, but tags is declared number[]',
  },
  {
    title: 'a nullable column',
    code: `return db.rows<{ thumbnailId: string }>('SELECT thumbnail_id FROM bundles');`,
    expected: 'the column bundles.thumbnail_id may be null, but thumbnailId is declared string',
  },
  {
    title: 'a column of the nullable side of a join',
    code: `return db.rows<{ id: string }>('SELECT box.id FROM users LEFT JOIN box_items box ON box.owner_id = users.id');`,
    expected: 'the column box_items.id may be null, but id is declared string',
  },
  {
    title: 'a WITH column on the nullable side of a join',
    code: `return db.rows<{ id: string }>('WITH mine AS (SELECT id, owner_id FROM box_items) SELECT mine.id FROM users LEFT JOIN mine ON mine.owner_id = users.id');`,
    expected: 'the column box_items.id may be null, but id is declared string',
  },
  {
    title: 'a missing bind',
    code: `return db.change('DELETE FROM users WHERE id = $id AND user_code = $userCode', { id: 'x' });`,
    expected: 'the bind $userCode is missing',
  },
  {
    title: 'a bind that no statement uses',
    code: `return db.change('DELETE FROM users WHERE id = $id', { id: 'x', userCode: 'y' });`,
    expected: 'no statement uses the bind $userCode',
  },
  {
    title: 'a bind that may be undefined',
    code: `const find = (id?: string) => db.rows('SELECT 1 FROM users WHERE id = $id', { id }); return find;`,
    expected: 'the bind $id may be undefined',
  },
  {
    title: 'a bind of a wrong type',
    code: `return db.change('DELETE FROM users WHERE created_at < $before', { before: 1 });`,
    expected: 'the bind $before is timestamptz, but its value is number',
  },
  {
    title: 'an unknown table in a template',
    code: 'const table = `user${1 + 1}s`; return db.rows(`SELECT 1 FROM ${table}`);',
    expected: 'the server rejects the statement: relation "user2s" does not exist',
  },
  {
    title: 'an unknown column in one of two variants',
    code: 'const read = (isLocked: boolean) => db.rows(`SELECT ${isLocked ? "locked" : "id"} FROM users`); return read;',
    expected: 'the server rejects the statement: column "locked" does not exist',
  },
  {
    title: 'an unknown table that a caller names',
    code: 'const count = (table: string) => db.rows(`SELECT 1 FROM ${table}`); return [count("users"), count("clients")];',
    expected: 'the server rejects the statement: relation "clients" does not exist',
  },
  {
    title: 'a text that is known only at run time',
    code: 'return db.rows(`SELECT 1 FROM ${process.title}`);',
    expected: 'process.title is not known',
  },
  {
    title: 'nothing in a correct statement',
    code: `return db.prepared<{ id: string; state: 'ACTIVE' | 'PENDING'; createdAt: Date }>('SELECT id, state, created_at FROM users WHERE id = $id', { id: 'x' });`,
    expected: '',
  },
  {
    title: 'nothing if a condition or coalesce excludes null',
    code: `return db.rows<{ thumbnailId: string; text: string }>("SELECT thumbnail_id, coalesce(description, '') AS text FROM bundles WHERE thumbnail_id IS NOT NULL");`,
    expected: '',
  },
];

/** The source of one function per statement, each on one line. It imports `databasePath`. */
export function plantedSource(databasePath: string): string {
  const functions = planted.map(
    ({ code }, position) => `export function planted${position}(db: Database): unknown { ${code} }`,
  );
  return [`import type { Database } from '${databasePath}';`, ...functions].join('\n');
}

/** The line of a planted statement in the source. */
export function lineOf(position: number): number {
  return position + 2;
}
