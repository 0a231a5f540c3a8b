const column = String.raw`(?:[a-z]\w*\.)?[a-z]\w*`;
const bind = String.raw`\$\w+(?:::[\w ]+(?:\[\])?)?`;
const equality = [
  String.raw`${column} = (?:${bind}|'[^']*'|true|false|\d+)`,
  String.raw`${column} IS NULL`,
  String.raw`(?:NOT )?${column}`,
].join('|');
const chosen = String.raw`(?:\*|1|${column}|count\(\*\)(?:::\w+)?)(?: AS ${column})?`;
const sorted = String.raw`${column}(?: ASC| DESC)?`;
const plainRead = new RegExp(
  [
    String.raw`^SELECT ${chosen}(?:, ${chosen})* FROM (?<table>\w+)(?: [a-z]\w*)?(?: WHERE (?:${equality})(?: AND (?:${equality}))*)?`,
    String.raw`(?: ORDER BY ${sorted}(?:, ${sorted})*)?(?: LIMIT 1)?(?: FOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE))?$`,
  ].join(''),
);

/** The table of a statement that a call of its model replaces: a read of the rows that have certain values. */
export function tableOfPlainRead(sql: string): string | undefined {
  return plainRead.exec(sql.replaceAll(/\s+/g, ' ').trim())?.groups?.['table'];
}
