import type { Transaction } from '../database/database.js';
import type { Page, PageRequest } from '../formats/page.js';

/** Values a filter or a sort can hold. */
export type SearchValue = string | number | boolean | null | readonly string[];

/** One denormalised document. Members are those that the index's groups, filters and sorts name. */
export interface SearchDocument {
  readonly id: string;
  readonly [member: string]: SearchValue | undefined;
}

/** Fields matched together under one weight: `interface.md` calls the weight of the later ones a boost. */
interface SearchGroup {
  readonly fields: readonly string[];
  readonly weight: number;
}

/** What an engine needs to know of an index. Its name is part of table and index names. */
export interface SearchIndex<Group extends string = string> {
  readonly name: string;
  readonly groups: Readonly<Record<Group, SearchGroup>>;
  /** Members that a query can filter by. */
  readonly filters: readonly string[];
  /** Members that a query can sort by. With text, hits are sorted by relevance first. */
  readonly sorts: readonly string[];
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

/** A document as an engine has it: its id, and the digest (`digestOf`) of what it was written from. */
export interface HeldDocument {
  readonly id: string;
  readonly digest: string;
}

export type EngineName = 'postgres' | 'meilisearch';

/** An engine behind the port: PostgreSQL or Meilisearch. */
export interface SearchEngine {
  readonly name: EngineName;
  /** Creates what is missing and brings settings up to date. */
  prepare(indexes: readonly SearchIndex[]): Promise<void>;
  search(index: SearchIndex, query: SearchQuery): Promise<SearchHits>;
  /** One upsert and one removal, waited for: what resolves is searchable. */
  write(index: SearchIndex, upserts: readonly SearchDocument[], removals: readonly string[]): Promise<void>;
  /** Builds the whole index aside and swaps it in, without a moment of absence. */
  rebuild(index: SearchIndex, documents: AsyncIterable<readonly SearchDocument[]>): Promise<void>;
  /** Documents in the index after `afterId`, in order of their ids: for the drift sweep. */
  held(index: SearchIndex, afterId: string | null, limit: number): Promise<readonly HeldDocument[]>;
  check(): Promise<void>;
}

/** How far a rebuild has come: documents read, of how many there were at its beginning. */
export type RebuildProgress = (done: number, total: number) => void;

/** What a sweep has found and marked, for one index in one engine. */
export interface Drift {
  readonly engine: EngineName;
  readonly index: string;
  /** Documents that should be there and are not. */
  readonly missing: number;
  /** Documents that are there and should not be. */
  readonly dangling: number;
  /** Documents of which the rows say something else, though no change of them was marked. */
  readonly outdated: number;
}

/** Keeps the engines in step with the rows: for workers, scripts and operators. */
export interface SearchUpkeep {
  /** The engines that are kept in step: PostgreSQL always, Meilisearch where it is configured. */
  readonly engines: readonly EngineName[];
  /** Writes every marked document to an engine until no mark is left; resolves with how many. May run twice. */
  drain(engine: EngineName, signal?: AbortSignal): Promise<number>;
  /** Builds an index anew beside the one that answers; false where another rebuild of it is under way. */
  rebuild(engine: EngineName, indexName: string, signal?: AbortSignal, progress?: RebuildProgress): Promise<boolean>;
  /** Compares rows and engines in id order, marks what differs. */
  sweepDrift(signal?: AbortSignal): Promise<readonly Drift[]>;
}

/** For `/readyz`: the configured engine, whether it can be reached, and which one answers searches now. */
export interface SearchHealth {
  readonly engine: EngineName;
  readonly ok: boolean;
  readonly answering: EngineName;
}

/** What services see of search. */
export interface Search {
  readonly upkeep: SearchUpkeep;
  health(): Promise<SearchHealth>;
  /** Marks every document made from this entity, in the transaction that changes it; one job drains the marks. */
  markDirty(tx: Transaction, entity: string, ids: string | readonly string[]): Promise<void>;
  /** Asks the engine, or PostgreSQL while the engine is down. */
  query<Group extends string>(index: SearchIndex<Group>, query: SearchQuery<Group>): Promise<SearchHits>;
  /**
   * One page: ids from the engine, rows re-read by `load` under the caller's rights (ids it leaves out are dropped),
   * rendered in hit order.
   */
  page<Group extends string, Item>(
    index: SearchIndex<Group>,
    query: SearchQuery<Group>,
    load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Item>>,
  ): Promise<Page<Item>>;
}
