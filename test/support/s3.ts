import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../shared/platform/config.js';
import { mendStore, type S3rverStore } from './s3Store.js';
import { startLoopbackServer } from './loopbackServer.js';

interface S3Server {
  readonly store: S3rverStore;
  configureBuckets(): Promise<void>;
  callback(): RequestListener;
}

const require = createRequire(import.meta.url);
const S3rver = require('s3rver') as new (options: object) => S3Server;
readDesAsTripleDes(require('node:crypto') as typeof import('node:crypto'));

/**
 * s3rver creates its pagination markers with DES, which OpenSSL of Node 17 and later lacks. Triple DES with three
 * equal keys is the same cipher.
 */
function readDesAsTripleDes(crypto: typeof import('node:crypto')): void {
  const { createCipheriv, createDecipheriv } = crypto;
  const named = (name: string, key: Buffer): [string, Buffer] =>
    name === 'des' ? ['des-ede3-cbc', Buffer.concat([key, key, key])] : [name, key];
  Object.assign(crypto, {
    createCipheriv: (name: string, key: Buffer, ...others: [Buffer]) => createCipheriv(...named(name, key), ...others),
    createDecipheriv: (name: string, key: Buffer, ...others: [Buffer]) =>
      createDecipheriv(...named(name, key), ...others),
  });
}

export interface TestS3 {
  readonly settings: NonNullable<Config['s3']>;
  /** The settings as environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Stores files of one byte without the protocol. Keys without the prefix. */
  fill(keys: readonly string[]): Promise<void>;
  /** Multipart uploads that are neither completed nor aborted. */
  unfinished(): Promise<string[]>;
  /** Matching operations return 501. */
  lacks: (request: IncomingMessage, query: URLSearchParams) => boolean;
  /** Matching requests return 403. */
  deny: (method: string, query: URLSearchParams) => boolean;
  /** Every request returns 503. */
  isFailing: boolean;
  /** Every PUT returns 507. */
  isFull: boolean;
  /** Every request waits this long. */
  delayMs: number;
  close(): Promise<void>;
}

/**
 * An S3 server in this process with a new bucket: s3rver, without two operations that the service uses:
 * aborting and listing multipart uploads. Both are added here, based on its stored files, and its store is corrected.
 */
export async function startS3(prefix = ''): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'video-platform-s3-'));
  const s3 = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: 'media', configs: [] }],
  });
  mendStore(s3.store);
  await s3.configureBuckets();
  const uploads = join(directory, 'media', '._S3rver_uploads');
  const serve = s3.callback();
  const { url: endpoint, close } = await startLoopbackServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://s3').searchParams;
    if (testS3.isFailing) return refuse(request, response, { status: 503, code: 'ServiceUnavailable' });
    if (testS3.isFull && request.method === 'PUT')
      return refuse(request, response, { status: 507, code: 'XMinioStorageFull' });
    if (testS3.lacks(request, query)) return refuse(request, response, { status: 501, code: 'NotImplemented' });
    if (testS3.deny(request.method ?? '', query))
      return refuse(request, response, { status: 403, code: 'AccessDenied' });
    if (request.method === 'DELETE' && query.has('uploadId'))
      return void abort(uploads, query.get('uploadId') ?? '', response);
    if (request.method === 'GET' && query.has('uploads')) return void list(uploads, request, response);
    setTimeout(() => serve(request, response), testS3.delayMs);
  });
  const testS3: TestS3 = {
    lacks: () => false,
    deny: () => false,
    isFailing: false,
    isFull: false,
    delayMs: 0,
    settings: {
      bucket: 'media',
      region: 'us-east-1',
      endpoint,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      forcePathStyle: true,
      prefix,
    },
    env: {
      S3_BUCKET: 'media',
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      S3_FORCE_PATH_STYLE: 'true',
      S3_PREFIX: prefix,
    },
    async fill(keys) {
      for (const key of keys.map((one) => `${prefix}${one}`))
        await s3.store.putObject({ bucket: 'media', key, content: Buffer.from('x'), metadata: {} });
    },
    unfinished: () => namesIn(uploads),
    async close() {
      await close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return testS3;
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code }: { readonly status: number; readonly code: string },
): void {
  request.resume();
  response
    .writeHead(status, { 'Content-Type': 'application/xml' })
    .end(`<Error><Code>${code}</Code><Message>Refused</Message></Error>`);
}

async function abort(uploads: string, uploadId: string, response: ServerResponse): Promise<void> {
  await rm(join(uploads, uploadId.replaceAll(/[^A-Za-z0-9]/g, '')), { recursive: true, force: true });
  response.writeHead(204).end();
}

async function list(uploads: string, _request: IncomingMessage, response: ServerResponse): Promise<void> {
  const entries = await Promise.all(
    (await namesIn(uploads)).map(async (uploadId) => {
      const key = await readFile(join(uploads, uploadId, 'key'), 'utf8');
      const initiated = (await stat(join(uploads, uploadId))).birthtime.toISOString();
      return `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
    }),
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?><ListMultipartUploadsResult><Bucket>media</Bucket><IsTruncated>false</IsTruncated>${entries.join('')}</ListMultipartUploadsResult>`;
  response.writeHead(200, { 'Content-Type': 'application/xml' }).end(body);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
