import type { Transaction } from '../db.js';
import type { Context } from '../context.js';
import type { Page, PageRequest } from '../page.js';

/** Values a filter or a sort can hold. */
export type SearchValue = string | number | boolean | null | readonly string[];

/** One denormalised document. Members are those that the index's groups, filters and sorts name. */
export interface SearchDocument {
  readonly id: string;
  readonly [member: string]: SearchValue | undefined;
}

/** Fields matched together under one weight: `interface.md` calls the weight of the later ones a boost. */
export interface SearchGroup {
  readonly fields: readonly string[];
  readonly weight: number;
}

/**
 * One search index (house law 5), declared in its domain and listed in `shared/indexes.ts`.
 * `madeFrom` says for each kind of entity which documents a change of it touches.
 */
export interface IndexDefinition<Group extends string = string> {
  readonly name: string;
  readonly madeFrom: Readonly<Record<string, (ctx: Context, tx: Transaction, ids: readonly string[]) => Promise<readonly string[]>>>;
  /** The documents of these ids as the rows are now, in one query; an id that yields none is removed. */
  readonly document: (ctx: Context, ids: readonly string[]) => Promise<readonly SearchDocument[]>;
  /** All ids that should be in the index after `afterId`, in order, up to `limit`: for rebuild and drift sweep. */
  readonly ids: (ctx: Context, afterId: string | null, limit: number) => Promise<readonly string[]>;
  readonly groups: Readonly<Record<Group, SearchGroup>>;
  readonly filters: readonly string[];
  /** Members one can sort by; `-` before a name in a query sorts down. `relevance` is always there. */
  readonly sorts: readonly string[];
}

export function defineIndex<Group extends string>(definition: IndexDefinition<Group>): IndexDefinition<Group> {
  return definition;
}

/** A filter on one member: equal, or one of, or none of, or a bound; on arrays `all` wants every value. */
export type Condition =
  | { readonly equal: string | number | boolean }
  | { readonly in: readonly (string | number)[] }
  | { readonly notIn: readonly (string | number)[] }
  | { readonly all: readonly string[] }
  | { readonly atLeast?: number; readonly atMost?: number };

export interface SearchQuery<Group extends string = string> {
  /** Free text; a last `*` asks for prefixes; blank is no filter. */
  readonly text: string | undefined;
  /** Groups to match; a group whose entity is already filtered is left out by the caller. */
  readonly groups: readonly Group[];
  readonly filters: Readonly<Record<string, Condition | undefined>>;
  /** Used where `text` is blank, and to break ties of relevance. */
  readonly sort: readonly string[];
  readonly page: PageRequest;
}

/** Ids in hit order, and how many there are in all (exact). */
export interface SearchHits {
  readonly ids: readonly string[];
  readonly totalCount: number;
}

/** An engine behind the port: PostgreSQL or Meilisearch. */
export interface SearchEngine {
  readonly name: 'postgres' | 'meilisearch';
  /** Creates what is missing and brings settings up to date. */
  prepare(indexes: readonly IndexDefinition[]): Promise<void>;
  search(index: IndexDefinition, query: SearchQuery): Promise<SearchHits>;
  /** One upsert and one removal, waited for: what resolves is searchable. */
  write(index: IndexDefinition, upserts: readonly SearchDocument[], removals: readonly string[]): Promise<void>;
  /** Builds the whole index aside and swaps it in, without a moment of absence. */
  rebuild(index: IndexDefinition, documents: AsyncIterable<readonly SearchDocument[]>): Promise<void>;
  /** Ids in the index after `afterId`, in order: for the drift sweep. */
  ids(index: IndexDefinition, afterId: string | null, limit: number): Promise<readonly string[]>;
  check(): Promise<void>;
}

/** What services see of search. */
export interface Search {
  /** Marks every document made from this entity, in the transaction that changes it; one job drains the marks. */
  markDirty(tx: Transaction, entity: string, ids: string | readonly string[]): Promise<void>;
  /** Asks the engine, or PostgreSQL while the engine is down. */
  query<Group extends string>(index: IndexDefinition<Group>, query: SearchQuery<Group>): Promise<SearchHits>;
  /**
   * One page: ids from the engine, rows re-read by `load` under the caller's rights (ids it leaves out are dropped),
   * rendered in hit order.
   */
  page<Group extends string, Item>(
    index: IndexDefinition<Group>,
    query: SearchQuery<Group>,
    load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Item>>,
  ): Promise<Page<Item>>;
}
