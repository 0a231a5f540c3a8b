import { createHash } from 'node:crypto';
import type { Transaction } from '../database/sql.js';
import type { SearchDocument, SearchIndex, SearchQuery, SearchValue } from './search.js';

export interface OwnedIndex<Group extends string = string> extends SearchIndex<Group> {
  /** For private searches: the owner of a document. */
  readonly owner?: {
    /** The filter that contains the user's id. */
    readonly member: string;
    /** SQL: the ids of the user's documents; its bind is `$ownerId`. */
    readonly ids: string;
  };
}

/**
 * A search index. Its functions receive a context of the caller's choice. `madeFrom` names the entities from which documents are
 * made, and returns the ids of the documents that a change of those entities affects.
 */
export interface IndexDefinition<Ctx, Group extends string = string> extends OwnedIndex<Group> {
  readonly madeFrom: Readonly<
    Record<string, (ctx: Ctx, tx: Transaction, ids: readonly string[]) => Promise<readonly string[]>>
  >;
  /**
   * The documents of these ids, read from the rows in one query. An id without a document is removed from the engines.
   */
  readonly document: (ctx: Ctx, ids: readonly string[]) => Promise<readonly SearchDocument[]>;
  /** Ids of the documents of the index after `afterId`, in order, at most `limit`: for rebuild and drift sweep. */
  readonly ids: (ctx: Ctx, afterId: string | null, limit: number) => Promise<readonly string[]>;
}

export function defineIndex<Ctx, Group extends string>(
  definition: IndexDefinition<Ctx, Group>,
): IndexDefinition<Ctx, Group> {
  return definition;
}

/** An index bound to a context. */
export interface BoundIndex extends OwnedIndex {
  readonly madeFrom: Readonly<Record<string, (tx: Transaction, ids: readonly string[]) => Promise<readonly string[]>>>;
  readonly document: (ids: readonly string[]) => Promise<readonly SearchDocument[]>;
  readonly ids: (afterId: string | null, limit: number) => Promise<readonly string[]>;
}

/** Binds an index to the context of a process. `context` is called at each use, because the context is created after its search. */
export function bindIndex<Ctx>(definition: IndexDefinition<Ctx>, context: () => Ctx): BoundIndex {
  const madeFrom = Object.entries(definition.madeFrom).map(
    ([entity, idsOf]): [string, BoundIndex['madeFrom'][string]] => [entity, (tx, ids) => idsOf(context(), tx, ids)],
  );
  return {
    ...definition,
    madeFrom: Object.fromEntries(madeFrom),
    document: (ids) => definition.document(context(), ids),
    ids: (afterId, limit) => definition.ids(context(), afterId, limit),
  };
}

/** Reads document members from the tables of a higher domain; resolves with the members by document id. */
export type AddedMembers<Ctx> = (
  ctx: Ctx,
  documents: readonly SearchDocument[],
) => Promise<ReadonlyMap<string, Readonly<Record<string, SearchValue>>>>;

/**
 * An index with members from a higher domain: the index declares them in its groups or filters, and `added` of the higher domain
 * reads them.
 */
export function withMembers<Ctx, Group extends string>(
  index: IndexDefinition<Ctx, Group>,
  added: AddedMembers<Ctx>,
): IndexDefinition<Ctx, Group> {
  return {
    ...index,
    async document(ctx, ids) {
      const documents = await index.document(ctx, ids);
      const members = await added(ctx, documents);
      return documents.map((document) => ({ ...document, ...members.get(document.id) }));
    },
  };
}

/** Longer texts are truncated: a caller writes one in a single request, but it is read at each change of the document. */
const maxTextLength = 5_000;
/** Maximum length of fields that the index declares as long. */
const maxLongTextLength = 100_000;

/** Truncates long texts of the documents of an index, in UTF-16 code units. */
export function withBoundedTexts<Ctx>(index: IndexDefinition<Ctx>): IndexDefinition<Ctx> {
  const fields = searchedFields(index);
  const limitOf = (field: string): number => (index.longTexts?.includes(field) ? maxLongTextLength : maxTextLength);
  return {
    ...index,
    async document(ctx, ids) {
      const documents = await index.document(ctx, ids);
      return documents.map((document) => {
        const long = fields.filter((field) => isLonger(document[field], limitOf(field)));
        if (long.length === 0) return document;
        const cut = long.map((field) => [field, String(document[field]).slice(0, limitOf(field))]);
        return { ...document, ...Object.fromEntries(cut) };
      });
    },
  };
}

function isLonger(value: SearchValue | undefined, limit: number): boolean {
  return typeof value === 'string' && value.length > limit;
}

/** Increase this number when the stored form of documents changes: every index is then rebuilt. */
const layout = 3;

/** The name is part of table and index names. */
const indexName = /^[a-z][a-zA-Z0-9]{0,30}$/;
const maxGroups = 9;

/** Throws at startup if an engine could not store an index, which is a programming error. */
export function checkDefinitions(indexes: readonly SearchIndex[]): void {
  const names = new Set<string>();
  for (const index of indexes) {
    if (!indexName.test(index.name) || names.has(index.name))
      throw new Error(`invalid or duplicate index name: ${index.name}`);
    names.add(index.name);
    if (Object.keys(index.groups).length > maxGroups) throw new Error(`index ${index.name} has too many groups`);
    for (const member of Object.keys(index.columns ?? {})) {
      if (!indexName.test(member) || ![...index.filters, ...index.sorts].includes(member))
        throw new Error(`index ${index.name} has a column that is neither a filter nor a sort: ${member}`);
    }
    for (const member of (index.lists ?? []).flat()) {
      if (!index.columns?.[member])
        throw new Error(`index ${index.name} has a list with a member that has no column: ${member}`);
    }
  }
}

/** Throws if a query names a group, filter or sort that the index does not have. */
export function checkQuery(index: SearchIndex, query: SearchQuery): void {
  for (const name of query.groups) if (!index.groups[name]) throw new Error(`index ${index.name} has no group ${name}`);
  for (const name of Object.keys(query.filters)) {
    if (!index.filters.includes(name)) throw new Error(`index ${index.name} has no filter ${name}`);
  }
  for (const key of query.sort) {
    if (!index.sorts.includes(sortMember(key))) throw new Error(`index ${index.name} has no sort ${key}`);
  }
}

/** The member of a sort key: `-createdAt` sorts by `createdAt` in descending order. */
export function sortMember(key: string): string {
  return key.replace(/^-/, '');
}

/** All searched fields without duplicates, in the order of the definition. */
export function searchedFields(index: SearchIndex): string[] {
  return [...new Set(Object.values(index.groups).flatMap(({ fields }) => fields))];
}

/**
 * Digest of everything on which the stored documents depend. If it differs from the recorded one, the index is rebuilt, so a
 * release must not change it unnecessarily.
 */
export function definitionSignature(index: SearchIndex): string {
  const { groups, filters, sorts } = index;
  const parts = JSON.stringify([
    layout,
    Object.entries(groups).map(([name, { fields }]) => [name, fields]),
    filters,
    sorts,
  ]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 16);
}
