import { setTimeout as sleep } from 'node:timers/promises';
import { Meilisearch, MeilisearchApiError, type EnqueuedTask, type SearchResponse } from 'meilisearch';
import { checkQuery } from '../indexDefinition.js';
import type { SearchIndex, SearchEngine, SearchHits } from '../search.js';
import { parseQueryText } from '../tokenizer.js';
import { storedDocument } from './documents.js';
import { federatedSearch } from './query.js';
import { settingsOf } from './indexSettings.js';

export interface MeilisearchOptions {
  readonly url: string;
  /** Sent in the Authorization header; never logged. */
  readonly apiKey: string;
  /** Prefix of index names, for a shared server. */
  readonly indexPrefix: string;
  /** Timeout of one call. */
  readonly callTimeoutMs?: number;
  /** Timeout of one write until searches see it. */
  readonly taskTimeoutMs?: number;
}

/** Polling intervals for the state of a task: short at first, then increasing. */
const shortestPollMs = 10;
const maxPollMs = 500;
/** Rebuild batches that may wait at the server, which merges waiting batches. */
const maxWaitingBatches = 4;

/** Search on a Meilisearch server, 1.50 or later. */
export function createMeilisearchEngine(options: MeilisearchOptions): SearchEngine {
  const client = new Meilisearch({
    host: options.url,
    apiKey: options.apiKey,
    timeout: options.callTimeoutMs ?? 10_000,
  });
  const uidOf = (index: SearchIndex) => `${options.indexPrefix}${index.name}`;

  /** Resolves when the server has completed the task; throws if the task fails or takes too long. */
  async function done({ taskUid }: EnqueuedTask): Promise<void> {
    const deadline = performance.now() + (options.taskTimeoutMs ?? 5 * 60_000);
    for (let waitMs = shortestPollMs; ; waitMs = Math.min(waitMs * 1.5, maxPollMs)) {
      const { status, type, error } = await client.tasks.getTask(taskUid);
      if (status === 'succeeded') return;
      if (status !== 'enqueued' && status !== 'processing')
        throw new Error(`Meilisearch task ${type} ${status}: ${error?.message ?? ''}`);
      if (performance.now() > deadline) throw new Error(`Meilisearch task ${type} has not completed in time`);
      await sleep(waitMs);
    }
  }

  async function createIndex(uid: string, index: SearchIndex): Promise<void> {
    if (!(await exists(client, uid)))
      await done(await client.createIndex(uid, { primaryKey: 'id' })).catch(ignoreExisting(client, uid));
    await done(await client.index(uid).updateSettings(settingsOf(index)));
  }

  return {
    name: 'meilisearch',
    async prepare(indexes) {
      for (const index of indexes) await createIndex(uidOf(index), index);
    },
    async search(index, query) {
      checkQuery(index, query);
      const text = parseQueryText(query.text);
      if (text && query.groups.length === 0) return { ids: [], totalCount: 0 };
      const { signal = null } = query.page;
      const response = await client.multiSearch(federatedSearch(uidOf(index), index, query, text), { signal });
      return hitsOf(response);
    },
    async write(index, upserts, removals) {
      const target = client.index(uidOf(index));
      const tasks: EnqueuedTask[] = [];
      if (upserts.length > 0)
        tasks.push(
          await target.addDocuments(
            upserts.map((document) => storedDocument(index, document)),
            { primaryKey: 'id' },
          ),
        );
      if (removals.length > 0) tasks.push(await target.deleteDocuments([...removals]));
      for (const task of tasks) await done(task);
    },
    async rebuild(index, documents) {
      const next = `${uidOf(index)}_next`;
      await drop(client, next, done);
      await createIndex(next, index);
      const waiting: EnqueuedTask[] = [];
      for await (const batch of documents) {
        waiting.push(
          await client.index(next).addDocuments(
            batch.map((document) => storedDocument(index, document)),
            { primaryKey: 'id' },
          ),
        );
        if (waiting.length > maxWaitingBatches) await done(waiting.shift() as EnqueuedTask);
      }
      for (const task of waiting) await done(task);
      await done(await client.swapIndexes([{ indexes: [uidOf(index), next], rename: false }]));
      await drop(client, next, done);
    },
    async digests(index, afterId, limit) {
      const filter = afterId === null ? {} : { filter: `id > "${checkedId(afterId)}"` };
      const page = await client
        .index(uidOf(index))
        .getDocuments({ fields: ['id', 'digest'], sort: ['id:asc'], limit, ...filter });
      return page.results.map(({ id, digest }) => ({ id: String(id), digest: String(digest) }));
    },
    async check() {
      await client.getVersion();
    },
  };
}

function hitsOf({ hits, totalHits }: SearchResponse): SearchHits {
  if (totalHits === undefined)
    throw new Error('this Meilisearch server returns no exact totals: version 1.50 or later is required');
  return { ids: hits.map((hit) => String(hit['id'])), totalCount: totalHits };
}

async function exists(client: Meilisearch, uid: string): Promise<boolean> {
  try {
    await client.getRawIndex(uid);
    return true;
  } catch (error) {
    if (error instanceof MeilisearchApiError && error.response.status === 404) return false;
    throw error;
  }
}

/** Ignores the error if another process has created the index at the same time. */
function ignoreExisting(client: Meilisearch, uid: string) {
  return async (error: unknown) => {
    if (!(await exists(client, uid))) throw error;
  };
}

async function drop(client: Meilisearch, uid: string, done: (task: EnqueuedTask) => Promise<void>): Promise<void> {
  if (await exists(client, uid)) await done(await client.deleteIndex(uid));
}

/** Ids are inserted into filters without quoting. Meilisearch accepts no ids with other characters. */
function checkedId(id: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(id)) throw new Error(`invalid search document id: ${id}`);
  return id;
}
