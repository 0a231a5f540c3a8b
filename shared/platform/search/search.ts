import type { SqlDatabase, Transaction } from '../database/sql.js';
import type { Page, PageRequest } from '../formats/page.js';

/** A value to filter or sort by. */
export type SearchValue = string | number | boolean | null | readonly string[];

/** One denormalised document, with the members that the groups, filters and sorts of its index name. */
export interface SearchDocument {
  readonly id: string;
  readonly [member: string]: SearchValue | undefined;
}

/** Fields that are matched together. Hits of a group are scored with its weight (`docs/contract.md#search`). */
interface SearchGroup {
  readonly fields: readonly string[];
  readonly weight: number;
}

export type ColumnKind = 'number' | 'flag' | 'text';

/** An index as the engines see it. Its name is part of table and index names. */
export interface SearchIndex<Group extends string = string> {
  readonly name: string;
  readonly groups: Readonly<Record<Group, SearchGroup>>;
  /** Fields that may be long (`withBoundedTexts`). */
  readonly longTexts?: readonly string[];
  /** Members that a query can filter by. */
  readonly filters: readonly string[];
  /** Members that a query can sort by. With text, hits are sorted by relevance first. */
  readonly sorts: readonly string[];
  /** Members that every document has, which PostgreSQL keeps as columns of their own, for `lists`. */
  readonly columns?: Readonly<Record<string, ColumnKind>>;
  /**
   * For lists of very many documents: columns that PostgreSQL has an index over, in this order, the id behind them. A query that
   * filters by the first ones and sorts by the next one reads no other documents.
   */
  readonly lists?: readonly (readonly string[])[];
  /**
   * The documents that everybody can find: all, none, or those whose member `where` is true. Only words of these correct
   * typos in queries on PostgreSQL.
   */
  readonly publicDocuments: 'all' | 'none' | { readonly where: string };
}

/** A filter on one member. An array matches `equal` and `in` with any of its values, and `all` with all of them. */
export type Condition =
  | { readonly equal: string | number | boolean }
  | { readonly in: readonly (string | number)[] }
  | { readonly notIn: readonly (string | number)[] }
  | { readonly all: readonly string[] }
  | { readonly atLeast?: number; readonly atMost?: number };

export interface SearchQuery<Group extends string = string> {
  /** Free text. A `*` at the end matches words that begin with the last word. Blank text matches everything. */
  readonly text: string | undefined;
  /** The groups that the text is matched with. */
  readonly groups: readonly Group[];
  readonly filters: Readonly<Record<string, Condition | undefined>>;
  /** Members, with `-` before the name for descending order. With text, it orders hits of equal relevance. */
  readonly sort: readonly string[];
  /** False: `sort` alone orders the hits, also with text. Only PostgreSQL does this, and `Search` sends it there. */
  readonly isRanked?: boolean;
  readonly page: PageRequest;
}

/**
 * Documents with a dirty mark, as the rows are now. A search with them finds what it would find if they were written. An
 * id without a document is not found.
 */
export interface ChangedDocuments {
  readonly ids: readonly string[];
  readonly documents: readonly SearchDocument[];
}

/** Ids of one page in order, and the total. */
export interface SearchHits {
  readonly ids: readonly string[];
  /** Exact, on PostgreSQL up to `maxCountedHits`: more are reported as so many. */
  readonly totalCount: number;
}

/** To count all hits of a frequent word would take longer than to find a page of them. */
export const maxCountedHits = 10_000;

/** The id of a document in an engine, with its digest (`digestOf`). */
export interface StoredDigest {
  readonly id: string;
  readonly digest: string;
}

export type EngineName = 'postgres' | 'meilisearch';

/** The port of search engines: PostgreSQL and Meilisearch implement it. */
export interface SearchEngine {
  readonly name: EngineName;
  /** Creates missing indexes and updates their settings. */
  prepare(indexes: readonly SearchIndex[]): Promise<void>;
  /** Stops where `query.page.signal` aborts. Only PostgreSQL accepts `changed`. */
  search(index: SearchIndex, query: SearchQuery, changed?: ChangedDocuments): Promise<SearchHits>;
  /** Upserts and removes documents. When it resolves, searches see the change. */
  write(index: SearchIndex, upserts: readonly SearchDocument[], removals: readonly string[]): Promise<void>;
  /** Builds the index beside the one in use, and swaps them. Searches see one or the other at any moment. */
  rebuild(index: SearchIndex, documents: AsyncIterable<readonly SearchDocument[]>): Promise<void>;
  /** Documents after `afterId`, in the order of ids, at most `limit`: for the drift sweep. */
  digests(index: SearchIndex, afterId: string | null, limit: number): Promise<readonly StoredDigest[]>;
  /**
   * Removes the words that are in no public document of these indexes any more; resolves with how many. Absent where the
   * engine does this itself.
   */
  pruneVocabulary?(indexes: readonly SearchIndex[], signal?: AbortSignal): Promise<number>;
  /** Rejects where the engine does not respond. */
  check(): Promise<void>;
}

/** Documents read so far, and how many there were at the start of the rebuild. */
export type RebuildProgress = (done: number, total: number) => void;

/** Differences between the rows and one index in one engine, which the sweep has marked. */
export interface Drift {
  readonly engine: EngineName;
  readonly index: string;
  /** Documents that the engine lacks. */
  readonly missing: number;
  /** Documents in the engine that should not exist. */
  readonly dangling: number;
  /** Documents whose content in the engine differs from the rows. */
  readonly outdated: number;
}

/** Keeps the engines up to date with the rows. Used by workers and scripts. */
export interface SearchMaintenance {
  /** The engines that are kept up to date: PostgreSQL always, Meilisearch where it is configured. */
  readonly engines: readonly EngineName[];
  /** Writes marked documents to an engine until no mark is left; resolves with how many. Idempotent. */
  drain(engine: EngineName, signal?: AbortSignal): Promise<number>;
  /** Whether an index was built from its present definition; also true of an index or engine that this process does not have. */
  isBuilt(engine: EngineName, indexName: string): Promise<boolean>;
  /** Rebuilds an index beside the one in use; false where another rebuild of it is in progress. */
  rebuild(engine: EngineName, indexName: string, signal?: AbortSignal, progress?: RebuildProgress): Promise<boolean>;
  /** Compares rows and engines, marks the differences, and prunes the vocabularies. */
  sweepDrift(signal?: AbortSignal): Promise<readonly Drift[]>;
}

/** For `/readyz`: the configured engine, whether it responds, and the engine that searches use now. */
export interface SearchHealth {
  readonly engine: EngineName;
  readonly ok: boolean;
  readonly active: EngineName;
}

/** Search as services use it. */
export interface Search {
  readonly maintenance: SearchMaintenance;
  /** The same, whose public searches on PostgreSQL read from this database: a replica. */
  readingFrom(reader: SqlDatabase): Search;
  health(): Promise<SearchHealth>;
  /** Marks every document made from these entities, in the transaction that changes them; one job drains the marks. */
  markDirty(tx: Transaction, entity: string, ids: string | readonly string[]): Promise<void>;
  /** Searches in Meilisearch where it is configured and up to date, else in PostgreSQL. */
  query<Group extends string>(index: SearchIndex<Group>, query: SearchQuery<Group>): Promise<SearchHits>;
  /**
   * One page of hits. `load` reads the rows of the ids under the caller's rights; an id that it leaves out is dropped
   * from the page and from the total.
   */
  page<Group extends string, Item>(
    index: SearchIndex<Group>,
    query: SearchQuery<Group>,
    load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Item>>,
  ): Promise<Page<Item>>;
  /**
   * Like `page`, of the documents of one owner. Finds every change that was committed before the call, on both engines
   * (`docs/contract.md#choices-requests`), for the latest 200 changed documents of the owner.
   */
  ownPage<Group extends string, Item>(
    index: SearchIndex<Group>,
    ownerId: string,
    query: SearchQuery<Group>,
    load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Item>>,
  ): Promise<Page<Item>>;
}
