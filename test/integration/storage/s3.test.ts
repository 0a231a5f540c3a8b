import { Readable } from 'node:stream';
import { expect } from 'chai';
import pLimit from 'p-limit';
import { InsufficientStorageError, NotFoundError } from '../../../shared/platform/errors.js';
import { openBucket } from '../../../shared/platform/storage/s3Bucket.js';
import { joinObjects } from '../../../shared/platform/storage/s3Join.js';
import { putBuffer } from '../../../shared/platform/storage/s3Objects.js';
import { openS3Storage } from '../../../shared/platform/storage/s3.js';
import type { Storage } from '../../../shared/platform/storage/storage.js';
import { outageOf } from '../../../shared/platform/outage.js';
import { rejection } from '../../support/rejection.js';
import { startS3 } from '../../support/s3.js';
import { useFixture } from '../../support/fixtures.js';

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
