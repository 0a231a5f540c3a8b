import { dataOf, type VideoClient } from '../../../client/index.js';
import type { Trace } from './trace.js';

/** The result of an operation of the client. */
interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** A person who calls the service; every call is printed as a step. */
export interface Actor {
  readonly name: string;
  readonly client: VideoClient;
  /** Resolves with the data of an operation, after printing its method, its path and `outcome`. */
  call<Data>(
    send: (api: VideoClient['api']) => Promise<Answer<Data>>,
    outcome: (data: Exclude<Data, undefined>) => string,
  ): Promise<Exclude<Data, undefined>>;
  /** Acts as a buyer's browser: opens the sandbox's page, presses the button that pays, and is redirected. */
  pay(started: { readonly url: string }, price: string): Promise<void>;
}

export function createActor(trace: Trace, name: string, client: VideoClient): Actor {
  let method = '';
  client.api.use({ onRequest: ({ request }) => void (method = request.method) });
  return {
    name,
    client,
    async call(send, outcome) {
      const answer = await send(client.api);
      const data = dataOf(answer);
      trace.step(name, `${method} ${shortened(new URL(answer.response.url).pathname)}`, outcome(data));
      return data;
    },
    async pay({ url }, price) {
      const page = await fetch(url);
      if (!page.ok || !(await page.text()).includes('value="pay"')) throw new Error(`${url} shows no button that pays`);
      const form = new URLSearchParams({ action: 'pay' });
      const headers = { Origin: new URL(url).origin };
      const response = await fetch(url, { method: 'POST', headers, body: form, redirect: 'manual' });
      if (response.status !== 303) throw new Error(`${url} responded to the button that pays with ${response.status}`);
      trace.step(name, 'pays on the page of the sandbox', `${price}, sent back to ${response.headers.get('location')}`);
    },
  };
}

/** Shortens ids. */
function shortened(path: string): string {
  return path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => `${id.slice(0, 4)}…`);
}
