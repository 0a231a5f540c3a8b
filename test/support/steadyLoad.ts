import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { basic, type TestApi, type TestUser } from './api.js';

/** A GET and a POST every 20 ms, on connections that are kept. */
export function startSteadyLoad(
  api: TestApi,
  owner: TestUser,
): { end(): Promise<{ sent: number; failures: readonly unknown[] }> } {
  const agent = new Agent({ keepAlive: true });
  const failures: unknown[] = [];
  const requests: Promise<void>[] = [];
  const send = (method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<void> =>
    new Promise((resolve) => {
      const settle = (fault?: unknown): void => {
        if (fault !== undefined) failures.push([method, fault]);
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
    for (; !isEnding; await sleep(20)) {
      requests.push(send('GET', '/api/public/license', token));
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
