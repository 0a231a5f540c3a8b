import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { basic, type TestApi, type TestUser } from './api.js';

/** On a slow machine, requests wait: nginx needs two connections for each, and closes those above its `worker_connections`. */
const maxWaiting = 100;
/** Interval between token requests of one address: the service issues 1,200 tokens per minute. */
const tokenIntervalMs = 60;

export interface SteadyLoad {
  /** Resolves when every request has its response. Failures are errors and responses without status 200. */
  end(): Promise<{ readonly sent: number; readonly failures: readonly unknown[] }>;
}

/** Sends a GET of one of the paths every 20 ms and a token request every 60 ms, on persistent connections. */
export function startSteadyLoad(api: TestApi, owner: TestUser, paths: readonly string[]): SteadyLoad {
  const agent = new Agent({ keepAlive: true });
  const failures: unknown[] = [];
  const requests: Promise<void>[] = [];
  let waiting = 0;
  const send = (method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<void> =>
    new Promise((resolve) => {
      waiting += 1;
      const settle = (fault?: unknown): void => {
        if (fault !== undefined) failures.push([method, path, fault]);
        waiting -= 1;
        resolve();
      };
      const sent = request(`${api.url}${path}`, { agent, method, headers }, (response) => {
        response.resume().once('end', () => settle(response.statusCode === 200 ? undefined : response.statusCode));
      });
      sent.once('error', settle).end(body);
    });
  const token = { authorization: `Bearer ${owner.token}` };
  const client = { authorization: basic(api), 'content-type': 'application/x-www-form-urlencoded' };
  let isEnding = false;
  const sending = (async () => {
    let lastTokenAt = 0;
    for (; !isEnding; await sleep(20)) {
      if (waiting >= maxWaiting) continue;
      requests.push(send('GET', paths[requests.length % paths.length] as string, token));
      if (Date.now() - lastTokenAt < tokenIntervalMs) continue;
      lastTokenAt = Date.now();
      requests.push(send('POST', '/oauth/token', client, 'grant_type=client_credentials'));
    }
  })();
  return {
    async end() {
      isEnding = true;
      await sending;
      await Promise.all(requests);
      agent.destroy();
      return { sent: requests.length, failures };
    },
  };
}
