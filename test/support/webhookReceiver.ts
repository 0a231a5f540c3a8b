import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startLoopbackServer } from './loopbackServer.js';

/** A request to a webhook. */
export interface ReceivedEvent {
  readonly path: string;
  readonly headers: Record<string, string>;
  /** The body as sent. */
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member
  readonly body: any;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedEvent[];
  /** The response to further requests. Null: none. */
  answer: Answer | null | ((event: ReceivedEvent) => Answer | null | Promise<Answer>);
  /** The requests with events of a type so far. */
  of(type: string): readonly ReceivedEvent[];
  /** Closes the connections of unanswered requests. */
  drop(): void;
  close(): Promise<void>;
}

/** The server of a user with webhooks. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const { url: path = '' } = request;
    const event = { path, headers: headersOf(request.headers), text: body, body: JSON.parse(body) };
    received.push(event);
    const answer = typeof receiver.answer === 'function' ? await receiver.answer(event) : receiver.answer;
    if (answer) response.writeHead(answer.status, answer.headers).end('ok');
  };
  const { url, drop, close } = await startLoopbackServer((request, response) => void receive(request, response));
  const receiver: WebhookReceiver = {
    ...{ url: `${url}/hooks`, received, drop, close },
    answer: { status: 204 },
    of: (type) => received.filter(({ body }) => body.type === type),
  };
  return receiver;
}

function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
