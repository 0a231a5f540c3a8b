/** A table, the name of its model, and the domain that owns both. */
export interface OwnedTable {
  readonly table: string;
  readonly model: string;
  readonly domain: string;
}

export interface TableOwners {
  readonly tables: readonly OwnedTable[];
  /** Level of each domain: it reads its own tables and those of lower levels. */
  readonly levels: Readonly<Record<string, number>>;
}

export interface Breach {
  readonly file: string;
  readonly domain: string;
  readonly verb: 'reads' | 'writes';
  readonly table: string;
}

type Use = Pick<Breach, 'verb' | 'table'>;

/** What a source file does with tables though its domain may not, each once. */
export function breachesOf(owners: TableOwners, file: string, source: string): Breach[] {
  const domain = domainOf(file);
  const code = withoutComments(source);
  const breaches = [...usesInStatements(owners, code), ...usesOfModels(owners, code)].filter(({ table, verb }) => {
    const owner = owners.tables.find((owned) => owned.table === table)?.domain ?? '';
    return owner !== domain && (verb === 'writes' || levelOf(owners, owner) >= levelOf(owners, domain));
  });
  const distinct = new Map(breaches.map((breach) => [`${breach.verb} ${breach.table}`, breach]));
  return [...distinct.values()].map(({ table, verb }) => ({ file, domain, verb, table }));
}

/** `shared/vod/vod.service.ts` is of the domain `vod`; `api`, `workers` and `shared/*.ts` are of none and hold no SQL. */
function domainOf(file: string): string {
  const [top = '', folder = ''] = file.split('/');
  return top === 'shared' && !folder.endsWith('.ts') ? folder : top;
}

function levelOf({ levels }: TableOwners, domain: string): number {
  return domain === 'platform' ? 0 : (levels[domain] ?? -1);
}

/** The formatter puts block comments at the beginning of a line, so that `/*` in a string is not taken for one. */
function withoutComments(source: string): string {
  return source.replaceAll(/^\s*\/\*[^]*?\*\//gm, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');
}

const write = /\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?|MERGE INTO)\s+(?:ONLY\s+)?(\w+)/g;
const read = /(?<!DELETE\s)\b(?:FROM|JOIN|USING|TABLE)\s+(?:ONLY\s+|LATERAL\s+)?(\w+)/g;
/** The rest of a list of tables: `FROM a first, b second`. */
const list = /\bFROM\s+\w+(?:\s+(?:AS\s+)?\w+)?((?:\s*,\s*\w+(?:\s+(?:AS\s+)?[a-z]\w*)?)+)/g;
/** The name of a table as the argument of a function that builds a statement. */
const argument = /\bidsOfRows\(\s*['"`](\w+)['"`]/g;

/** Keywords of SQL are in capitals here, so that no sentence is taken for a statement. */
function usesInStatements({ tables }: TableOwners, code: string): Use[] {
  const names = new Set(tables.map(({ table }) => table));
  const found = (pattern: RegExp): string[] => [...code.matchAll(pattern)].map(([, name = '']) => name);
  const listed = found(list).flatMap((rest) => rest.split(',').map((part) => part.trim().split(/\s/)[0] ?? ''));
  return [
    ...found(write).map((table) => ({ verb: 'writes', table }) as const),
    ...[...found(read), ...listed, ...found(argument)].map((table) => ({ verb: 'reads', table }) as const),
  ].filter(({ table }) => names.has(table));
}

/** `db.model(VodItem).create(...)`: finding and counting is reading, anything else is writing. */
function usesOfModels({ tables }: TableOwners, code: string): Use[] {
  return [...code.matchAll(/\.model\((\w+)\)(?:\s*\.\s*(\w+))?/g)].flatMap(([, name, method = '']) => {
    const table = tables.find(({ model }) => model === name)?.table;
    if (table === undefined) return [];
    return [{ table, verb: /^(find(All|One|ByPk)|count|sum|max|min)$/.test(method) ? 'reads' : 'writes' } as const];
  });
}
