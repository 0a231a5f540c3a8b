import { expect } from 'chai';
import type { TestApi, TestUser } from './api.js';

/** An upload by tus, request by request. */
export interface TusUpload {
  readonly url: string;
  /** The offset that HEAD tells, and the box item. */
  head(): Promise<{ readonly offset: number; readonly boxId: string | null; readonly headers: Headers }>;
  /** One PATCH. */
  patch(
    offset: number,
    bytes: Uint8Array | ReadableStream,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

export function metadataOf(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

const tusVersion = { 'Tus-Resumable': '1.0.0' };
export const offsetStream = { 'Content-Type': 'application/offset+octet-stream' };

/** A request of tus, with its headers; given ones replace them. */
export function tusFetch(
  api: TestApi,
  user: TestUser,
  url: string,
  {
    headers,
    ...init
  }: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>>; readonly duplex?: 'half' },
): Promise<Response> {
  return fetch(new URL(url, api.url), {
    ...init,
    headers: { ...tusVersion, Authorization: `Bearer ${user.token}`, ...headers },
  });
}

/** The response to a creation. Null: the client says later how long the file is. */
export function createTus(
  api: TestApi,
  user: TestUser,
  totalBytes: number | null,
  pairs: Readonly<Record<string, string>> = { title: 'A video', filename: 'video.mp4' },
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return tusFetch(api, user, `${api.url}/api/box/tus`, {
    method: 'POST',
    headers: { ...lengthHeader(totalBytes), 'Upload-Metadata': metadataOf(pairs), ...headers },
  });
}

function lengthHeader(totalBytes: number | null): Readonly<Record<string, string>> {
  return totalBytes === null ? { 'Upload-Defer-Length': '1' } : { 'Upload-Length': String(totalBytes) };
}

/** An upload that exists, also at another process. */
export function tusAt(api: TestApi, user: TestUser, url: string): TusUpload {
  return {
    url,
    async head() {
      const { status, headers } = await tusFetch(api, user, url, { method: 'HEAD' });
      expect(status).to.equal(200);
      return { offset: Number(headers.get('Upload-Offset')), boxId: headers.get('Box-Id'), headers };
    },
    patch: (offset, bytes, headers = {}) =>
      tusFetch(api, user, url, {
        method: 'PATCH',
        headers: { ...offsetStream, 'Upload-Offset': String(offset), ...headers },
        body: bytes,
        duplex: 'half',
      }),
  };
}

/** A new upload. */
export async function openTus(
  api: TestApi,
  user: TestUser,
  totalBytes: number | null,
  pairs?: Readonly<Record<string, string>>,
): Promise<TusUpload> {
  const { status, headers } = await createTus(api, user, totalBytes, pairs);
  expect(status).to.equal(201);
  return tusAt(api, user, headers.get('Location') ?? '');
}
