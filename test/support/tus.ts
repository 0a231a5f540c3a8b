import { expect } from 'chai';
import type { TestApi, TestUser } from './api.js';

/** A tus upload, request by request. */
export interface TusUpload {
  readonly url: string;
  /** The offset that HEAD returns, and the box item. */
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

/** A tus request with its headers, which `init` can replace. */
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

/** The response to a creation. Null: the client declares the length later. */
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

/** An existing upload, also at another process. */
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

/** Creates an upload. */
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
