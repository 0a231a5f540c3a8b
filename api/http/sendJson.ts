import type { Response } from 'express';

/** The form every JSON answer has, whatever `Accept` says (`decisions.md 2`). */
export const jsonType = 'application/json;charset=UTF-8';

/** Ends the answer with a body, written as it stands: no validators, no rewriting of the content type. */
export function sendJson(response: Response, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
