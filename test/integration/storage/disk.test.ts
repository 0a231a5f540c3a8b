import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { NotFoundError } from '../../../shared/platform/errors.js';
import { openDiskStorage } from '../../../shared/platform/storage/disk.js';
import type { Storage } from '../../../shared/platform/storage/storage.js';
import { rejection } from '../../support/rejection.js';

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
