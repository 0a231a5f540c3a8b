import { dataOf, type VideoClient } from '../../../client/index.js';
import type { Trace } from './trace.js';

/** A person who calls the service; every call is printed as a step. */
export interface Actor {
  readonly name: string;
  readonly client: VideoClient;
  get<Response>(path: string, outcome: (response: Response) => string): Promise<Response>;
  post<Response>(path: string, body: object, outcome: (response: Response) => string): Promise<Response>;
  /** What a buyer's browser does: opens the sandbox's page, presses the button that pays, and is redirected. */
  pay(started: { readonly url: string; readonly trackingId: string }, price: string): Promise<void>;
}

/** The calls name their paths as they are sent, with ids. */
export function createActor(trace: Trace, name: string, client: VideoClient): Actor {
  const call = async <Response>(method: 'get' | 'post', path: string, body?: object): Promise<Response> =>
    dataOf(await client.api.request(method, path as never, { body } as never)) as Response;
  return {
    name,
    client,
    async get<Response>(path: string, outcome: (response: Response) => string) {
      const response = await call<Response>('get', path);
      trace.step(name, `GET ${shortened(path)}`, outcome(response));
      return response;
    },
    async post<Response>(path: string, body: object, outcome: (response: Response) => string) {
      const response = await call<Response>('post', path, body);
      trace.step(name, `POST ${shortened(path)}`, outcome(response));
      return response;
    },
    async pay({ url }, price) {
      const page = await fetch(url);
      if (!page.ok || !(await page.text()).includes('value="pay"')) throw new Error(`${url} shows no button that pays`);
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: new URL(url).origin },
        body: new URLSearchParams({ action: 'pay' }).toString(),
        redirect: 'manual',
      });
      if (response.status !== 303) throw new Error(`${url} answered ${response.status} to the button that pays`);
      trace.step(name, 'pays on the page of the sandbox', `${price}, sent back to ${response.headers.get('location')}`);
    },
  };
}

/** Shortens ids, which nobody reads. */
function shortened(path: string): string {
  return path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => `${id.slice(0, 4)}…`);
}
