import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoopbackServer, type LoopbackServer } from '../support/loopbackServer.js';

/** A server with Meilisearch's calls and responses for indexes and tasks, as in the recordings. It stores only ids. */
export interface MeilisearchQueue extends LoopbackServer {
  /** The documents of an index. */
  count(uid: string): number;
  readonly seen: { polls: number; swaps: number; maxWaiting: number; documentTasks: number };
}

interface Task {
  readonly type: string;
  readonly run: () => void;
  readonly documents: number;
  status: 'enqueued' | 'succeeded';
}

const indexPath = /^\/indexes\/([^/]+)$/;
const documentsPath = /^\/indexes\/([^/]+)\/documents$/;
const settingsPath = /^\/indexes\/([^/]+)\/settings$/;

/** Processes one task at a time, in 5 ms plus the configured time for each thousand documents. */
export async function startMeilisearchQueue(millisecondsForThousand: number): Promise<MeilisearchQueue> {
  const indexes = new Map<string, Set<string>>();
  const tasks: Task[] = [];
  const seen = { polls: 0, swaps: 0, maxWaiting: 0, documentTasks: 0 };
  let processing: Promise<void> = Promise.resolve();

  function enqueue(type: string, run: () => void, documents = 0): object {
    const task: Task = { type, run, documents, status: 'enqueued' };
    tasks.push(task);
    seen.maxWaiting = Math.max(seen.maxWaiting, tasks.filter(({ status }) => status === 'enqueued').length);
    processing = processing.then(async () => {
      await sleep(5 + (millisecondsForThousand * documents) / 1000);
      task.run();
      task.status = 'succeeded';
    });
    return {
      taskUid: tasks.length - 1,
      indexUid: null,
      status: 'enqueued',
      type,
      enqueuedAt: new Date().toISOString(),
    };
  }

  async function answer(request: IncomingMessage): Promise<readonly [status: number, body: object]> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const call = `${request.method} ${pathname}`;
    const given = request.method === 'GET' || request.method === 'DELETE' ? undefined : await json(request);
    const [, poll] = /^GET \/tasks\/(\d+)$/.exec(call) ?? [];
    if (poll !== undefined) {
      seen.polls += 1;
      const { type, status } = tasks[Number(poll)]!;
      return [200, { uid: Number(poll), indexUid: null, type, status, error: null }];
    }
    const [, uid = ''] = indexPath.exec(pathname) ?? documentsPath.exec(pathname) ?? settingsPath.exec(pathname) ?? [];
    if (call === 'POST /indexes') {
      const { uid: created } = given as { uid: string };
      return [202, enqueue('indexCreation', () => void indexes.set(created, new Set()))];
    }
    if (call === 'POST /swap-indexes') {
      seen.swaps += 1;
      const [{ indexes: pair }] = given as [{ indexes: [string, string] }];
      return [202, enqueue('indexSwap', () => swap(indexes, pair))];
    }
    if (request.method === 'GET') return indexes.has(uid) ? [200, { uid, primaryKey: 'id' }] : [404, notFound(uid)];
    if (request.method === 'DELETE') return [202, enqueue('indexDeletion', () => void indexes.delete(uid))];
    if (settingsPath.test(pathname)) return [202, enqueue('settingsUpdate', () => {})];
    const documents = given as { id: string }[];
    seen.documentTasks += 1;
    const add = (): void => documents.forEach(({ id }) => indexes.get(uid)?.add(id));
    return [202, enqueue('documentAdditionOrUpdate', add, documents.length)];
  }

  const server = await startLoopbackServer((request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  return { ...server, count: (uid) => indexes.get(uid)?.size ?? 0, seen };
}

function swap(indexes: Map<string, Set<string>>, [first, second]: readonly [string, string]): void {
  const [one, other] = [indexes.get(first) ?? new Set<string>(), indexes.get(second) ?? new Set<string>()];
  indexes.set(first, other).set(second, one);
}

function notFound(uid: string): object {
  return { message: `Index \`${uid}\` not found.`, code: 'index_not_found', type: 'invalid_request', link: '' };
}
