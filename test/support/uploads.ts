import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../shared/platform/context.js';
import { expect } from 'chai';
import { BoxItem } from '../../shared/box/box.model.js';
import { Content } from '../../shared/content/content.model.js';
import { usageOf } from '../../shared/license/usage.service.js';
import { registerUser, type TestResponse, type TestApi, type TestUser } from './api.js';
import type { TestContext } from './context.js';
import { eventually } from './eventually.js';
import { useFixture, fixtureEach, serviceFixture } from './fixtures.js';
import { testStores } from './stores.js';
import { storedKeys } from './media.js';

export interface UploadParts {
  readonly title?: string;
  readonly file?: Uint8Array | Blob;
  readonly fileName?: string;
  readonly fields?: readonly (readonly [string, string])[];
}

/** The form of a valid upload; `parts` can replace its own. */
export function uploadForm({
  title = 'A video',
  file = new Uint8Array(50_000).fill(7),
  fileName = 'video.mp4',
  fields = [],
}: UploadParts = {}): FormData {
  const form = new FormData();
  form.append('title', title);
  for (const [name, value] of fields) form.append(name, value);
  form.append('file', new Blob([file]), fileName);
  return form;
}

/** Uploads through the API; a valid upload by default. */
export function upload(
  api: TestApi,
  user: TestUser,
  parts: UploadParts = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return api.call('POST', '/api/box', { token: user.token, body: uploadForm(parts), headers });
}

/** The traces of a user's uploads: rows, files, reserved quota. */
export async function tracesOf(ctx: Context, user: TestUser): Promise<object> {
  const [counts] = await ctx.db.rows<object>(
    `SELECT (SELECT count(*)::int FROM contents WHERE owner_id = $id) AS contents,
            (SELECT count(*)::int FROM box_items WHERE owner_id = $id) AS items,
            (SELECT count(*)::int FROM upload_reservations WHERE user_id = $id) AS reservations,
            coalesce((SELECT reserved_bytes::int FROM quotas WHERE user_id = $id), 0) AS reserved_bytes,
            coalesce((SELECT reserved_uploads FROM quotas WHERE user_id = $id), 0) AS reserved_uploads,
            coalesce((SELECT original_bytes::int FROM quotas WHERE user_id = $id), 0) AS original_bytes`,
    { id: user.userId },
  );
  return { ...counts, files: (await storedKeys(ctx)).length };
}

export const noTraces = {
  contents: 0,
  items: 0,
  reservations: 0,
  reservedBytes: 0,
  reservedUploads: 0,
  originalBytes: 0,
  files: 0,
};

/** The content of an import, when fetching has ended. */
export function settledImport(ctx: Context, boxId: string): Promise<Content> {
  return eventually(
    async () => {
      const item = await ctx.db.model(BoxItem).findByPk(boxId, { rejectOnEmpty: true });
      const content = await ctx.db.model(Content).findByPk(item.contentId, { rejectOnEmpty: true });
      expect(content.arrival).to.equal(null);
      return content;
    },
    { timeoutMs: 20_000 },
  );
}

/** A multipart body as text, so that tests can damage it. */
export interface HandmadeForm {
  readonly boundary: string;
  readonly body: Buffer;
}

/** One part; a file if it has a file name. */
export interface FormPart {
  readonly name: string;
  readonly fileName?: string;
  readonly value: string | Buffer;
}

export function handmadeForm(parts: readonly FormPart[]): HandmadeForm {
  const boundary = `----${randomUUID()}`;
  const pieces = parts.flatMap(({ name, fileName, value }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: video/mp4`}\r\n\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return { boundary, body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]) };
}

export interface RawResponse {
  readonly status: number;
  /** The parsed body of a JSON response. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member
  readonly body: any;
}

/** An upload over a plain connection, with any headers and body, also if they do not match. */
export async function rawUpload(
  api: TestApi,
  user: TestUser,
  headers: Readonly<Record<string, string | number>>,
  write: (socket: ReturnType<typeof connect>) => void | Promise<void>,
  path = '/api/box',
): Promise<RawResponse | null> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (data: Buffer) => {
    received += data.toString();
    if (received.startsWith(leave)) {
      received = received.slice(leave.length);
      socket.emit('leave');
    }
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = Object.entries({ Host: 'test', Authorization: `Bearer ${user.token}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const closed = once(socket, 'close');
  const answered = new Promise<void>((resolve) => socket.on('data', () => complete(received) && resolve()));
  await write(socket);
  await Promise.race([answered, closed]);
  socket.destroy();
  return parseResponse(received);
}

const leave = 'HTTP/1.1 100 Continue\r\n\r\n';

function complete(received: string): boolean {
  const [head = '', body] = received.split('\r\n\r\n', 2);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

function parseResponse(received: string): RawResponse | null {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
  if (status === undefined) return null;
  const body = received.slice(received.indexOf('\r\n\r\n') + 4);
  return { status: Number(status), body: body.startsWith('{') ? JSON.parse(body) : undefined };
}

/** A service that accepts uploads of up to three megabytes into one kind of store. */
export interface UploadFixture {
  readonly ctx: TestContext;
  readonly api: TestApi;
  /** A user without uploads: the same for all tests until one has a successful upload. */
  readonly user: TestUser;
  /** Files of unfinished uploads in the store. */
  readonly unfinished: () => Promise<readonly string[]>;
  readonly expectNothingLeft: () => Promise<void>;
}

export function uploadsFixture(kind: keyof typeof testStores): UploadFixture {
  const store = useFixture(() => testStores[kind]());
  const { ctx, api } = serviceFixture(() => ({ ...store.env, UPLOAD_LIMIT_BYTES: String(3 * 1024 ** 2) }));
  let present: TestUser | undefined;
  const user = fixtureEach(async () => {
    const isUsed = present && (await usageOf(ctx, present.userId)).uploads > 0;
    if (!present || isUsed) present = await registerUser(api);
    await ctx.storage.removeAll('sources');
    return present;
  });
  const unfinished = async (): Promise<readonly string[]> =>
    ctx.config.s3 ? store.unfinished() : readdir(join(ctx.config.dataDir, 'files', '.unfinished')).catch(() => []);
  return {
    ctx,
    api,
    user,
    unfinished,
    async expectNothingLeft() {
      await eventually(async () => expect(await tracesOf(ctx, user)).to.deep.equal(noTraces));
      expect(await unfinished()).to.deep.equal([]);
    },
  };
}
