import type { Response } from 'express';

/** The form every JSON answer has, whatever `Accept` says (`docs/contract.md#choices-requests`). */
export const jsonType = 'application/json;charset=UTF-8';

/** Ends the answer with a body, written as it stands: no validators, no rewriting of the content type. */
export function sendJson(response: Response, status: number, body: unknown): void {
  // A text, not bytes: head and body then leave in one write.
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
