import { expect } from 'chai';
import type { TestResponse } from './api.js';

/** The body of an answer that has this status. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies freely
export function bodyOf(expected: number, { status, text, body }: TestResponse): any {
  expect(status, text).to.equal(expected);
  return body;
}

/** The fields that a 400 answer refuses, in order, with their codes. */
export function refusedFields(response: TestResponse): string[] {
  return bodyOf(400, response).errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
}

/** `docs/contract.md#errors`: with every token and every OAuth refusal. */
export function expectOAuthHeaders({ headers }: TestResponse): void {
  expect(headers.get('cache-control')).to.equal('no-store');
  expect(headers.get('pragma')).to.equal('no-cache');
  expect(headers.get('x-frame-options')).to.equal('DENY');
  expect(headers.get('x-content-type-options')).to.equal('nosniff');
  expect(headers.get('x-xss-protection')).to.equal('1; mode=block');
  expect(headers.get('content-type')).to.equal('application/json;charset=UTF-8');
}
