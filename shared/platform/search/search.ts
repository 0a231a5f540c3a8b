import type { SqlDatabase, Transaction } from '../database/sql.js';
import type { Page, PageRequest } from '../formats/page.js';

/** A value to filter or sort by. */
export type SearchValue = string | number | boolean | null | readonly string[];

/** A denormalised document, with the members that the groups, filters and sorts of its index name. */
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

/** The definition of an index for the engines. Its name is part of table and index names. */
export interface SearchIndex<Group extends string = string> {
  readonly name: string;
  readonly groups: Readonly<Record<Group, SearchGroup>>;
  /** Fields that may be long (`withBoundedTexts`). */
  readonly longTexts?: readonly string[];
  /** Members that a query can filter by. */
  readonly filters: readonly string[];
  /** Members that a query can sort by. With text, hits are sorted by relevance first. */
  readonly sorts: readonly string[];
  /** Members of every document that PostgreSQL stores as separate columns, for `lists`. */
  readonly columns?: Readonly<Record<string, ColumnKind>>;
  /**
   * For lists of very many documents: PostgreSQL has an index on these columns in this order, followed by the id. A query that
   * filters by the first columns and sorts by the next one reads only matching documents.
   */
  readonly lists?: readonly (readonly string[])[];
  /**
   * The public documents: all, none, or those whose member `where` is true. On PostgreSQL, typos in queries are corrected only to
   * words of public documents.
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
  /** The groups in which the text is searched. */
  readonly groups: readonly Group[];
  readonly filters: Readonly<Record<string, Condition | undefined>>;
  /** Members, with `-` before the name for descending order. With text, they order hits of equal relevance. */
  readonly sort: readonly string[];
  /** False: only `sort` orders the hits, also with text. Supported by PostgreSQL only, to which `Search` routes it. */
  readonly isRanked?: boolean;
  readonly page: PageRequest;
}

/**
 * Documents with a dirty mark, from the current rows. A search with them returns the same hits as if they had been written. An id
 * without a document is excluded.
 */
export interface ChangedDocuments {
  readonly ids: readonly string[];
  readonly documents: readonly SearchDocument[];
}

/** Ids of one page in order, and the total. */
export interface SearchHits {
  readonly ids: readonly string[];
  /** Exact; on PostgreSQL at most `maxCountedHits`. */
  readonly totalCount: number;
}

/** Counting all hits of a frequent word would take longer than finding a page of them. */
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
  /** Stops when `query.page.signal` aborts. Only PostgreSQL accepts `changed`. */
  search(index: SearchIndex, query: SearchQuery, changed?: ChangedDocuments): Promise<SearchHits>;
  /** Upserts and removes documents. When it resolves, searches see the change. */
  write(index: SearchIndex, upserts: readonly SearchDocument[], removals: readonly string[]): Promise<void>;
  /** Builds the index next to the one in use, and swaps them. At any moment, searches see one of the two. */
  rebuild(index: SearchIndex, documents: AsyncIterable<readonly SearchDocument[]>): Promise<void>;
  /** Documents after `afterId`, in id order, at most `limit`: for the drift sweep. */
  digests(index: SearchIndex, afterId: string | null, limit: number): Promise<readonly StoredDigest[]>;
  /**
   * Removes the words that no public document of these indexes contains any more; resolves with the number removed. Absent if the
   * engine does this itself.
   */
  pruneVocabulary?(indexes: readonly SearchIndex[], signal?: AbortSignal): Promise<number>;
  /** Rejects if the engine does not respond. */
  check(): Promise<void>;
}

/** Number of documents read so far, and number at the start of the rebuild. */
export type RebuildProgress = (done: number, total: number) => void;

/** Differences between the rows and one index in one engine; the sweep has marked them. */
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
  /** The engines that are kept up to date: PostgreSQL always, Meilisearch if it is configured. */
  readonly engines: readonly EngineName[];
  /** Writes marked documents to an engine until no mark remains; resolves with the number cleared. Idempotent. */
  drain(engine: EngineName, signal?: AbortSignal): Promise<number>;
  /** Whether an index was built from its current definition; also true for an index or engine that this process does not have. */
  isBuilt(engine: EngineName, indexName: string): Promise<boolean>;
  /** Rebuilds an index next to the one in use; false if another rebuild of it is in progress. */
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
  /** The same search, except that public searches on PostgreSQL read from this database: a replica. */
  readingFrom(reader: SqlDatabase): Search;
  health(): Promise<SearchHealth>;
  /** Marks every document made from these entities, in the transaction that changes them; one job drains the marks. */
  markDirty(tx: Transaction, entity: string, ids: string | readonly string[]): Promise<void>;
  /** Searches in Meilisearch if it is configured and up to date, otherwise in PostgreSQL. */
  query<Group extends string>(index: SearchIndex<Group>, query: SearchQuery<Group>): Promise<SearchHits>;
  /**
   * One page of hits. `load` reads the rows of the ids under the caller's rights; an id without a row is removed from the page
   * and from the total.
   */
  page<Group extends string, Item>(
    index: SearchIndex<Group>,
    query: SearchQuery<Group>,
    load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Item>>,
  ): Promise<Page<Item>>;
  /**
   * Like `page`, for the documents of one owner. Includes every change that was committed before the call, on both engines
   * (`docs/contract.md#choices-requests`), up to the latest 200 changed documents of the owner.
   */
  ownPage<Group extends string, Item>(
    index: SearchIndex<Group>,
    ownerId: string,
    query: SearchQuery<Group>,
    load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Item>>,
  ): Promise<Page<Item>>;
}
