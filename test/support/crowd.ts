import { setTimeout as sleep } from 'node:timers/promises';
import { publicToken, type TestApi, bodyOf } from './api.js';
import { seedBoxItem, seedStream, type SeededItem, drainSearch } from './rows.js';
import type { TestContext } from './context.js';
import { openDeployment } from './deployment.js';
import { slowness } from './eventually.js';
import { streamPathOf } from './streamFixture.js';
import { createLoggedInUser, type TestUser } from './users.js';

/** The maximum time of every watched request during an attack. Other tests run at the same time. */
const maxWatchedMs = 3_000 * slowness;
/** Pause between two requests of the same kind. */
const pauseMs = 75;

/** A built web process with one published item, and requests that must stay fast during an attack. */
export interface Crowded {
  readonly ctx: TestContext;
  readonly api: TestApi;
  /** The publisher of the item. */
  readonly owner: TestUser;
  readonly item: SeededItem;
  readonly vodId: string;
  /** A public access token. */
  readonly token: string;
  /**
   * Runs `count` attacks concurrently; each gets its number and resolves with its response's status. Meanwhile, a segment, a
   * public search and a read by id are requested every 75 ms. Throws if one of these fails, or takes longer than
   * `maxWatchedMs`. Resolves with the statuses in order; an attack without a response has 0.
   */
  withCrowd(attack: (number: number) => Promise<number>, count: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Starts one web process, once per file of crowd tests. */
export async function openCrowded(): Promise<Crowded> {
  const deployment = await openDeployment({ LOG_LEVEL: 'error' });
  const { ctx, api } = deployment;
  try {
    await deployment.start('web');
    const owner = await createLoggedInUser(ctx);
    const item = await seedBoxItem(ctx, owner.userId, { title: 'Watched video' });
    await seedStream(ctx, item.folder);
    const vodId = await publish(api, owner, item);
    await drainSearch(ctx);
    const token = await publicToken(api);
    const segment = `${await streamPathOf(ctx, owner, item)}240p/s0.m4s`;
    const watched = {
      segment: () => fetch(new URL(segment, api.url)),
      search: () =>
        fetch(`${api.url}/api/public/search/vod/contents`, {
          method: 'POST',
          // A separate caller, because anonymous attackers use up the share of their address.
          headers: { authorization: `Bearer ${owner.token}` },
          body: JSON.stringify({ queryString: 'watched' }),
        }),
      read: () => fetch(`${api.url}/api/public/vod/${vodId}`, { headers: { authorization: `Bearer ${token}` } }),
    };
    return {
      ctx,
      api,
      owner,
      item,
      vodId,
      token,
      withCrowd: (attack, count) => withCrowd(watched, attack, count),
      close: () => deployment.close(),
    };
  } catch (error) {
    await deployment.close();
    throw error;
  }
}

async function publish(api: TestApi, { token }: TestUser, { boxId }: SeededItem): Promise<string> {
  const published = await api.call('POST', `/api/box/${boxId}/vod`, { token, body: { licenseType: 'FREE' } });
  return bodyOf(201, published).vodId as string;
}

type Watched = Readonly<Record<string, () => Promise<Response>>>;

async function withCrowd(
  watched: Watched,
  attack: (number: number) => Promise<number>,
  count: number,
): Promise<readonly number[]> {
  // The first use of connections and statements is not measured.
  for (const [name, request] of Object.entries(watched)) await timeOf(name, request);
  const over = new AbortController();
  const watching = Object.entries(watched).map(([name, request]) => slowest(name, request, over.signal));
  const statuses = await Promise.all(Array.from({ length: count }, (_, number) => attack(number).catch(() => 0)));
  over.abort();
  for (const [name, ms] of await Promise.all(watching))
    if (ms > maxWatchedMs) throw new Error(`${name} took ${ms} ms meanwhile, and not at most ${maxWatchedMs}`);
  return statuses;
}

/** Repeats a request until the attack is over; resolves with its name and its maximum time. */
async function slowest(
  name: string,
  request: () => Promise<Response>,
  over: AbortSignal,
): Promise<readonly [name: string, ms: number]> {
  const times: number[] = [];
  do {
    times.push(await timeOf(name, request));
    await sleep(pauseMs);
  } while (!over.aborted);
  times.push(await timeOf(name, request));
  return [name, Math.max(...times)];
}

async function timeOf(name: string, request: () => Promise<Response>): Promise<number> {
  const startedMs = performance.now();
  const response = await request();
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${name} responded ${response.status} meanwhile: ${body}`);
  if (name === 'search' && !body.includes('Watched video'))
    throw new Error(`the search has not found the item: ${body}`);
  return Math.round(performance.now() - startedMs);
}

/** The number of statuses equal to this one. */
export function countOf(statuses: readonly number[], status: number): number {
  return statuses.filter((one) => one === status).length;
}
