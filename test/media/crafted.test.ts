import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { dirname } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { contentFolder } from '../../shared/content/storageKeys.js';
import type { CopyOutcome } from '../support/directCopy.js';
import { directTranscoding } from '../support/directTranscoding.js';
import { eventually } from '../support/eventually.js';
import { editBoxes, isoBox, numbers, withoutMedia } from '../support/isoBoxes.js';
import { makeVideo, storedKeys } from '../support/media.js';
import { mediaFixture } from '../support/mediaFixture.js';
import { rowsOf } from '../support/requirements.js';

/** Files written byte by byte that refer to other files. ffmpeg must not follow the references. */
describe('the processing of a crafted video', function () {
  this.timeout(60_000);
  const direct = directTranscoding({ MAXIMUM_DURATION_SECONDS: '5' });
  const fixture = mediaFixture({ MAXIMUM_DURATION_SECONDS: '5' });
  let server: Server;
  let connections: number;
  let address: string;
  /** A stored video of another user. */
  let victimPath: string;
  let video: Buffer;
  /** The same video without its media. */
  let empty: Buffer;

  before(async () => {
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/video.mp4`;
    video = await readFile(await makeVideo({ seconds: 2, size: '64x64' }));
    empty = withoutMedia(video);
    const victimKey = `sources/${randomUUID()}/original`;
    await direct.ctx.storage.put(victimKey, video, { contentType: 'application/octet-stream' });
    victimPath = direct.ctx.storage.localPath(victimKey) as string;
    expect(await direct.failureOf(victimPath)).to.equal(null);
  });

  after(() => void server.close());

  const sampleTable = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
  const quickTime = (index: Buffer): Buffer =>
    Buffer.concat([isoBox('ftyp', Buffer.from('qt  \0\0\0\0qt  ')), isoBox('moov', index)]);
  const packedIndex = (claimedBytes: number, bytes: number): Buffer =>
    quickTime(
      isoBox(
        'cmov',
        isoBox('dcom', Buffer.from('zlib')),
        isoBox('cmvd', numbers(claimedBytes), deflateSync(Buffer.alloc(bytes))),
      ),
    );
  /** All samples of each track in one chunk, of a kilobyte each. */
  const withSamples = (count: number): Buffer =>
    (
      [
        ['stsz', numbers(0, 1_000, count)],
        ['stsc', numbers(0, 1, 1, count, 1)],
        ['stts', numbers(0, 1, count, 1)],
      ] as const
    ).reduce((boxes, [type, table]) => editBoxes(boxes, [...sampleTable, type], () => table), video);

  const refused: readonly { name: string; file: () => Buffer; key: string }[] = [
    {
      name: "a video that refers to another user's media by a relative path",
      file: () =>
        withReference(empty, aliasTo(`x${victimPath.slice(dirname(dirname(victimPath)).length)}`, { up: 2, down: 2 })),
      key: 'unreadable',
    },
    {
      name: "a video that refers to another user's media by an absolute path",
      file: () => withReference(empty, aliasTo(victimPath, { up: 0, down: 0 })),
      key: 'unreadable',
    },
    {
      name: 'a video whose media are at a web address',
      file: () => withReference(empty, referenceTo(address)),
      key: 'unreadable',
    },
    {
      name: 'a video whose media are at a file address',
      file: () => withReference(empty, referenceTo(`file://${victimPath}`)),
      key: 'unreadable',
    },
    {
      name: 'a video that is only a reference to another',
      file: () =>
        quickTime(
          isoBox(
            'rmra',
            isoBox(
              'rmda',
              isoBox('rdrf', numbers(0), Buffer.from('url '), numbers(address.length + 1), Buffer.from(`${address}\0`)),
            ),
          ),
        ),
      key: 'nothingToPlay',
    },
    {
      name: 'a compressed index that claims gigabytes',
      file: () => packedIndex(0xc0000000, 1_000),
      key: 'unsupported',
    },
    { name: 'a compressed index of hundreds of megabytes', file: () => packedIndex(2e8, 2e8), key: 'nothingToPlay' },
    { name: 'an edit list of a hundred thousand entries', file: () => withEdits(video, 1e5, 1_000), key: 'tooLong' },
    { name: 'two billion samples', file: () => withSamples(0x7fffffff), key: 'unreadable' },
    { name: 'twenty million samples in a small file', file: () => withSamples(2e7), key: 'unreadable' },
  ];

  const refusedInEveryRun = [
    "a video that refers to another user's media by a relative path",
    ...['a video whose media are at a web address', 'a video that is only a reference to another'],
    ...['a compressed index that claims gigabytes', 'an edit list of a hundred thousand entries'],
    'two billion samples',
  ];
  for (const { name, file, key } of rowsOf(refused, refusedInEveryRun)) {
    it(`rejects ${name}`, async () => {
      expect((await direct.failureOf(file()))?.key).to.equal(`content.failure.${key}`);
      expect(connections, 'connections to the address').to.equal(0);
    });
  }

  it('makes the content FAILED and leaves no files in all workers if its media is at a URL', async () => {
    const content = await fixture.settle(withReference(empty, referenceTo(address)));
    expect(content).to.include({ state: 'FAILED', failureKey: 'content.failure.unreadable' });
    expect(connections, 'connections to the address').to.equal(0);
    await eventually(async () => expect(await storedKeys(fixture.ctx, contentFolder(content))).to.deep.equal([]));
  });

  const taken: readonly { name: string; file: () => Promise<Buffer> | Buffer; copy: CopyOutcome }[] = [
    {
      name: 'has its media and refers to others',
      file: () => withReference(video, referenceTo(address)),
      copy: 'copied',
    },
    { name: 'names a file as its next part', file: () => withNextPart(victimPath), copy: 'copied' },
    { name: 'names an address as its next part', file: () => withNextPart(address), copy: 'copied' },
    { name: 'has an edit list of a thousand entries', file: () => withEdits(video, 1_000, 2), copy: 'editList' },
  ];

  for (const { name, file, copy } of rowsOf(taken, ['names an address as its next part'])) {
    it(`reads only the file itself if it ${name}`, async () => {
      const { durationSeconds, copy: copied } = await direct.transcode(await file());
      expect(copied, 'quick generation').to.equal(copy);
      expect(durationSeconds).to.be.closeTo(2, 0.1);
      expect(connections, 'connections to the address').to.equal(0);
    });
  }

  /** Matroska: an element of the same length replaces the title. */
  async function withNextPart(next: string): Promise<Buffer> {
    const title = `${next}\0`.padEnd(120, '\0');
    const linked = await readFile(
      await makeVideo({
        seconds: 2,
        size: '64x64',
        extension: 'mkv',
        coding: ['-c:a', 'aac', '-metadata', `title=${'t'.repeat(121)}`],
      }),
    );
    const at = linked.indexOf(Buffer.from([0x7b, 0xa9, 0x80 | 121]));
    expect(at, 'place of the title').to.be.above(0);
    Buffer.from([0x3e, 0x83, 0xbb, 0x80 | 120]).copy(linked, at);
    linked.write(title, at + 4);
    return linked;
  }
});

/** The same video with an edit list that repeatedly plays all tracks from the start, for a number of milliseconds each time. */
function withEdits(video: Buffer, count: number, milliseconds: number): Buffer {
  const list = Buffer.alloc(8 + count * 12);
  list.writeUInt32BE(count, 4);
  for (let entry = 0; entry < count; entry += 1) numbers(milliseconds, 0, 0x10000).copy(list, 8 + entry * 12);
  return editBoxes(video, ['moov', 'trak', 'edts', 'elst'], () => list);
}

/** The same video, whose index refers to media in another file. */
function withReference(video: Buffer, entry: Buffer): Buffer {
  return editBoxes(video, ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref'], () =>
    Buffer.concat([numbers(0, 1), entry]),
  );
}

/**
 * A reference as QuickTime on a Macintosh wrote it: a path, resolved from `levelsUp - 1` folders above the video's
 * own folder with its last `levelsDown` names; with zeros, the path unchanged.
 */
function aliasTo(path: string, levels: { readonly up: number; readonly down: number }): Buffer {
  const record = Buffer.alloc(150);
  record.writeUInt16BE(levels.up, 130);
  record.writeUInt16BE(levels.down, 132);
  const name = Buffer.from(path.length % 2 === 0 ? path : `${path}\0`);
  const absolutePath = Buffer.concat([Buffer.from([0, 2, path.length >> 8, path.length & 0xff]), name]);
  return isoBox('alis', numbers(0), record, absolutePath, Buffer.from([0xff, 0xff, 0, 0]));
}

/** A reference to a URL. */
function referenceTo(address: string): Buffer {
  return isoBox('url ', numbers(0), Buffer.from(`${address}\0`));
}
