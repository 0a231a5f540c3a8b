import { expect } from 'chai';
import { defineIndex } from '../../../shared/platform/search/indexDefinition.js';
import type {
  Condition,
  SearchDocument,
  SearchEngine,
  SearchHits,
  SearchQuery,
} from '../../../shared/platform/search/search.js';

export interface OpenEngine {
  readonly engine: SearchEngine;
  /** True for a real engine, which responds to any request at any time; false for a recording. */
  readonly live: boolean;
  close(): Promise<void>;
}

export const catalogue = defineIndex({
  name: 'catalogue',
  madeFrom: {},
  document: async () => [],
  ids: async () => [],
  groups: {
    content: { fields: ['title', 'description', 'tags'], weight: 1 },
    bundle: { fields: ['bundleName'], weight: 0.7 },
    publisher: { fields: ['userCode', 'firstName', 'lastName', 'pageTitle', 'pageDescription'], weight: 0.5 },
  },
  filters: ['ownerId', 'visible', 'tags', 'licenseType', 'size'],
  sorts: ['publishedAt', 'name'],
  publicDocuments: 'all',
});

export type Query = Partial<Omit<SearchQuery, 'page'>> & {
  pageSize?: number;
  pageIndex?: number;
  pagination?: boolean;
};

/** Writes to the current test's engine and searches in it. */
export class EngineHarness {
  constructor(private readonly current: () => OpenEngine) {}

  get engine(): SearchEngine {
    return this.current().engine;
  }

  get live(): boolean {
    return this.current().live;
  }

  write(...documents: SearchDocument[]): Promise<void> {
    return this.engine.write(catalogue, documents, []);
  }

  /** Defaults: all groups, no filter, newest first, first page. */
  find(query: Query | string): Promise<SearchHits> {
    const {
      pageSize = 20,
      pageIndex = 0,
      pagination = true,
      ...rest
    } = typeof query === 'string' ? { text: query } : query;
    const defaults = {
      text: undefined,
      groups: ['content', 'bundle', 'publisher'],
      filters: {},
      sort: ['-publishedAt'],
    };
    return this.engine.search(catalogue, { ...defaults, ...rest, page: { pageSize, pageIndex, pagination } });
  }

  async storedIds(afterId: string | null, limit: number): Promise<readonly string[]> {
    return (await this.engine.digests(catalogue, afterId, limit)).map(({ id }) => id);
  }

  async idsOf(query: Query | string): Promise<readonly string[]> {
    return (await this.find(query)).ids;
  }

  async expectHits(query: Query | string, ids: readonly string[]): Promise<void> {
    expect(await this.find(query), JSON.stringify(query)).to.deep.equal({ ids, totalCount: ids.length });
  }

  filtered(filters: Record<string, Condition>): Promise<readonly string[]> {
    return this.idsOf({ filters, sort: ['name'] });
  }
}
