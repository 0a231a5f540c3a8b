import { expect } from 'chai';
import type { TestResponse } from './api.js';

/** The body of a response, which must have this status. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read any member
export function bodyOf(expected: number, { status, text, body }: TestResponse): any {
  expect(status, text).to.equal(expected);
  return body;
}

/** The fields that a 400 response rejects, in order, with their codes. */
export function rejectedFields(response: TestResponse): string[] {
  return bodyOf(400, response).errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
}

/** The statuses of concurrent responses, lowest first. */
export function statusesOf(responses: readonly TestResponse[]): number[] {
  return responses.map(({ status }) => status).toSorted((a, b) => a - b);
}

/** `docs/contract.md#errors`: headers of every token and every OAuth error. */
export function expectOAuthHeaders({ headers }: TestResponse): void {
  expect(headers.get('cache-control')).to.equal('no-store');
  expect(headers.get('pragma')).to.equal('no-cache');
  expect(headers.get('x-frame-options')).to.equal('DENY');
  expect(headers.get('x-content-type-options')).to.equal('nosniff');
  expect(headers.get('x-xss-protection')).to.equal('1; mode=block');
  expect(headers.get('content-type')).to.equal('application/json;charset=UTF-8');
}
