import type { ServerResponse } from 'node:http';

/** The content type of every JSON response, whatever `Accept` says: `docs/contract.md#choices-requests`. */
export const jsonType = 'application/json;charset=UTF-8';

/** Sends a JSON body, without an ETag and without changes to the content type. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  // A string instead of a buffer: Node then sends headers and body in one write.
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
