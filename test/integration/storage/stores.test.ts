import { Readable } from 'node:stream';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pLimit from 'p-limit';
import { InsufficientStorageError, NotFoundError } from '../../../shared/platform/errors.js';
import { openBucket } from '../../../shared/platform/storage/s3Bucket.js';
import { joinObjects } from '../../../shared/platform/storage/s3Join.js';
import { putBuffer } from '../../../shared/platform/storage/s3Objects.js';
import { openS3Storage } from '../../../shared/platform/storage/s3.js';
import type { Storage } from '../../../shared/platform/storage/storage.js';
import { outageOf } from '../../../shared/platform/outage.js';
import { rejection } from '../../support/eventually.js';
import { startS3 } from '../../support/s3.js';
import { useFixture } from '../../support/fixtures.js';
import { openDiskStorage } from '../../../shared/platform/storage/disk.js';
import { openTestContext } from '../../support/context.js';
import { takeStorageFaults } from '../../support/testFaults.js';

const megabyte = 1024 ** 2;

describe('storage in S3', function () {
  this.timeout(30_000);
  const s3 = useFixture(() => startS3('in/a/folder/'));
  let storage: Storage;
  let warnings: unknown[][];
  beforeEach(() => {
    warnings = [];
    storage = openS3Storage(s3.settings, { warn: (...entry: unknown[]) => void warnings.push(entry) });
  });
  afterEach(() => {
    s3.deny = () => false;
    s3.lacks = () => false;
    s3.isFull = false;
  });

  const body = (megabytes: number) =>
    Readable.from(
      (function* () {
        for (let index = 0; index < megabytes; index += 1) yield Buffer.alloc(megabyte, index);
      })(),
    );

  for (const isCopying of [true, false])
    it(`joins more pieces than an object may have parts, ${isCopying ? 'in groups' : 'without the copy of parts'}`, async () => {
      s3.lacks = (request) => !isCopying && 'x-amz-copy-source' in request.headers;
      const bucket = openBucket(s3.settings, { warn: () => {} });
      const sizes = [5, 5, 1, 2, 3, 6, 5, 5, 5, 1];
      const pieces = sizes.map((size, index) => ({ key: `sources/many-pieces/${index}`, bytes: size * megabyte }));
      for (const [index, { key, bytes }] of pieces.entries())
        await putBuffer(bucket, key, Buffer.alloc(bytes, index), { contentType: 'video/mp4' });
      const counts: number[] = [];
      s3.deny = (method, query) => {
        if (method === 'PUT' && query.has('partNumber')) counts.push(Number(query.get('partNumber')));
        return false;
      };
      await joinObjects(
        bucket,
        pieces,
        {
          ...{ key: 'sources/many', contentType: 'video/mp4', slot: pLimit(4) },
          groupKey: (index) => `sources/many-pieces/joined-${index}`,
        },
        { count: 4, bytes: 16 * megabyte },
      );
      expect(Math.max(...counts)).to.be.at.most(4);
      const expected = Buffer.concat(sizes.map((size, index) => Buffer.alloc(size * megabyte, index)));
      const stored = Buffer.concat(await (await storage.read('sources/many')).toArray());
      expect(stored.equals(expected)).to.equal(true);
      await storage.removeAll('sources');
    });

  it('aborts an upload after a rejected request', async () => {
    const isPart = (number: string) => (method: string, query: URLSearchParams) =>
      method === 'PUT' && query.get('partNumber') === number;
    const isPost = (name: string) => (method: string, query: URLSearchParams) => method === 'POST' && query.has(name);
    for (const [what, denies] of Object.entries({
      ...{ 'a part': isPart('2'), 'the last part': isPart('4') },
      ...{ 'the completion': isPost('uploadId'), 'the start': isPost('uploads') },
    })) {
      s3.deny = denies;
      const stream = body(30);
      const error = await rejection(storage.put('sources/a/original', stream, { contentType: 'video/mp4' }));
      expect(error, what).to.include({ name: 'AccessDenied' });
      expect(stream.destroyed, what).to.equal(true);
      expect(await s3.unfinished(), what).to.deep.equal([]);
      expect(await storage.stat('sources/a/original'), what).to.equal(null);
    }
  });

  it('leaves an upload that it could not abort to removeUnfinished', async () => {
    s3.deny = (method, query) => query.has('uploadId') && (method === 'POST' || method === 'DELETE');
    const error = await rejection(storage.put('sources/a/original', body(20), { contentType: 'video/mp4' }));
    expect(error).to.include({ name: 'AccessDenied' });
    s3.deny = () => false;
    expect(await s3.unfinished()).to.have.length(1);
    expect(await storage.removeUnfinished(new Date(Date.now() + 1000))).to.equal(1);
    expect(await s3.unfinished()).to.deep.equal([]);
  });

  describe('without an operation that the store does not support, which it logs once,', () => {
    const put = { contentType: 'text/plain' };
    const keys = ['content/x/a', 'content/x/b', 'content/x/c'];
    const lackOf = (operation: string, consequence: string) => [
      [{ operation, detail: 'Refused' }, `not supported by the object store: ${consequence}`],
    ];

    it('leaves unfinished uploads to the store', async () => {
      s3.lacks = (request, query) => request.method === 'GET' && query.has('uploads');
      for (let sweep = 0; sweep < 2; sweep += 1) expect(await storage.removeUnfinished(new Date())).to.equal(0);
      expect(warnings).to.deep.equal(
        lackOf(
          'ListMultipartUploads',
          'interrupted uploads stay in the bucket: give it a lifecycle rule that aborts them',
        ),
      );
    });

    it('removes files one at a time, and passes the check', async () => {
      for (const key of keys) await storage.put(key, Buffer.from('x'), put);
      s3.lacks = (request, query) => request.method === 'POST' && query.has('delete');
      await storage.remove([...keys.slice(0, 1), 'content/x/missing']);
      await storage.removeAll('content/x');
      for (const key of keys) expect(await storage.stat(key)).to.equal(null);
      await storage.check();
      expect(warnings).to.deep.equal(lackOf('DeleteObjects', 'files are removed one at a time'));
    });

    it('copies files through this process', async () => {
      s3.lacks = (request) => 'x-amz-copy-source' in request.headers;
      await storage.put('content/x/a', Buffer.from('copied'), put);
      for (const key of ['content/x/b', 'content/x/c']) await storage.copy('content/x/a', key, put);
      expect(await storage.stat('content/x/c')).to.include({ bytes: 6 });
      expect(await rejection(storage.copy('content/x/none', 'content/x/d', put))).to.be.instanceOf(NotFoundError);
      expect(warnings).to.deep.equal(lackOf('CopyObject', 'files are copied through this process'));
    });

    it('fails permanently if files cannot be stored in parts, which counts as no outage', async () => {
      s3.lacks = (request, query) => request.method === 'POST' && query.has('uploads');
      const error = await rejection(storage.put('sources/a/original', body(20), put));
      expect(error).to.include({ name: 'NotImplemented' });
      expect(outageOf(error)).to.equal(null);
      s3.lacks = () => false;
      s3.isFailing = true;
      const away = await rejection(storage.stat('sources/a/original')).finally(() => (s3.isFailing = false));
      expect(outageOf(away)).to.equal('server unreachable');
    });
  });

  it('reports a full store', async () => {
    s3.isFull = true;
    for (const put of [Buffer.from('x'), body(1), body(20)]) {
      const error = await rejection(storage.put('sources/a/original', put, { contentType: 'text/plain' }));
      expect(error)
        .to.be.instanceOf(InsufficientStorageError)
        .and.include({ message: 'no space left in the bucket media (507)' });
    }
  });

  it('fails the check if it cannot write', async () => {
    s3.deny = (method) => method === 'PUT';
    expect(await storage.check().catch((reason: unknown) => reason)).to.be.instanceOf(Error);
  });

  it('presigns URLs with content type and file name', async () => {
    await storage.put('content/x/a.m4s', Buffer.from('segment'), { contentType: 'video/iso.segment' });
    const address = await storage.presign('content/x/a.m4s', {
      expiresSeconds: 60,
      contentType: 'video/mp4',
      fileName: 'été.mp4',
    });
    const response = await fetch(address ?? '');
    expect(response.status).to.equal(200);
    expect(await response.text()).to.equal('segment');
    expect(response.headers.get('content-type')).to.equal('video/mp4');
    expect(response.headers.get('content-disposition')).to.contain("filename*=UTF-8''%C3%A9t%C3%A9.mp4");
    expect(address).to.contain('in/a/folder/content/x/a.m4s');
  });
});

describe('storage on disk', () => {
  let root: string;
  let storage: Storage;
  let secret: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'video-platform-disk-'));
    storage = openDiskStorage(join(root, 'files'));
    secret = join(root, 'secret');
    await writeFile(secret, 'secret');
    await mkdir(join(root, 'files', 'sources', 'a'), { recursive: true });
    await symlink(secret, join(root, 'files', 'sources', 'a', 'original'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('reads no links', async () => {
    expect(await storage.stat('sources/a/original')).to.equal(null);
    for (const attempt of [
      () => storage.read('sources/a/original'),
      () => storage.fetch('sources/a/original', join(root, 'copy')),
    ])
      expect(await rejection(attempt())).to.be.instanceOf(NotFoundError);
  });

  it('replaces a link in a write, and removes only the link', async () => {
    await storage.put('sources/a/original', Buffer.from('ours'), { contentType: 'text/plain' });
    expect(await readFile(secret, 'utf8')).to.equal('secret');
    await symlink(secret, join(root, 'files', 'sources', 'a', 'other'));
    await storage.remove(['sources/a/other']);
    await storage.removeAll('sources');
    expect(await readFile(secret, 'utf8')).to.equal('secret');
  });

  it('lists neither links nor unfinished files', async () => {
    await mkdir(join(root, 'files', '.unfinished'), { recursive: true });
    await writeFile(join(root, 'files', '.unfinished', 'x'), 'half');
    const keys: string[] = [];
    for await (const { key } of storage.list('')) keys.push(key);
    expect(keys).to.deep.equal([]);
  });

  it('removes empty folders', async () => {
    await storage.put('content/x/g1/a', Buffer.from('a'), { contentType: 'text/plain' });
    await storage.put('content/y/a', Buffer.from('a'), { contentType: 'text/plain' });
    await storage.remove(['content/x/g1/a']);
    expect(await readdir(join(root, 'files', 'content'))).to.deep.equal(['y']);
  });

  it('stores every file during concurrent removals of the folder’s last file', async () => {
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; index < 200; index += 1) {
        const key = `check/${writer}-${index}`;
        await storage.put(key, Buffer.from('a'), { contentType: 'text/plain' });
        await storage.remove([key]);
        const piece = { start: 0, totalBytes: 1, stored: async () => {} };
        await storage.arrivals.append(key, Readable.from([Buffer.from('a')]), piece);
        await storage.arrivals.discard(key);
      }
    });
    await Promise.all(writers);
  });

  it('provides local paths and no URLs', async () => {
    expect(storage.localPath('content/y/a')).to.equal(join(root, 'files', 'content', 'y', 'a'));
    expect(await storage.presign('content/y/a', { expiresSeconds: 60 })).to.equal(null);
  });
});

/** Tests the guard of all tests: without this test, a guard that detects nothing would go unnoticed. */
describe('the storage guard of the tests', () => {
  const ctx = useFixture(openTestContext);

  it('reports calls inside a transaction, also nested ones', async () => {
    await ctx.db.transaction(async (tx) => {
      await ctx.db.rows('SELECT 1', {}, tx);
      await Promise.all([ctx.storage.stat('content/x/a'), ctx.storage.remove(['content/x/a'])]);
    });
    const faults = takeStorageFaults().map((fault) => fault.split('\n', 1)[0]);
    expect(faults).to.deep.equal([
      'Error: storage.stat is called inside a transaction',
      'Error: storage.remove is called inside a transaction',
    ]);
  });

  it('permits calls after the transaction, also by its hooks', async () => {
    let later: Promise<unknown> = Promise.resolve();
    await ctx.db.transaction(async (tx) => {
      tx.afterCommit(() => void (later = ctx.storage.stat('content/x/a')));
    });
    await later;
    await ctx.storage.stat('content/x/a');
    expect(takeStorageFaults()).to.deep.equal([]);
  });
});
