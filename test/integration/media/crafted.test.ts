import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { dirname } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { Content } from '../../../shared/content/content.model.js';
import { contentFolder } from '../../../shared/content/layout.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import {
  aliasTo,
  editBoxes,
  isoBox,
  numbers,
  referenceTo,
  withEdits,
  withoutMedia,
  withReference,
} from '../../support/isoBoxes.js';
import { makeVideo, settledContent, storedKeys, uploadClip } from '../../support/media.js';
import { startWorkers } from '../../support/workers.js';
import { makeUser } from '../../support/users.js';

/** Films by hand, which ffmpeg by itself reads in other ways than is good for us. */
describe('films that point elsewhere, or claim what they do not hold', function () {
  this.timeout(60_000);
  let ctx: TestContext;
  let workers: { close: () => Promise<void> };
  let ownerId: string;
  let server: Server;
  let connections: number;
  let address: string;
  /** A whole film of another user, and the same one with no media of its own. */
  let victimPath: string;
  let film: Buffer;
  let empty: Buffer;

  before(async () => {
    ctx = await openTestContext({ MAXIMUM_DURATION_SECONDS: '5' });
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/film.mp4`;
    film = await readFile(await makeVideo({ seconds: 2, size: '64x64' }));
    empty = withoutMedia(film);
    const victim = await uploadClip(ctx, (await makeUser(ctx)).id, film);
    const { sourceKey } = await ctx.db.model(Content).findByPk(victim, { rejectOnEmpty: true });
    victimPath = ctx.storage.localPath(sourceKey) as string;
    ownerId = (await makeUser(ctx)).id;
    workers = await startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status'] });
    expect((await eventually(() => settledContent(ctx, victim), { timeoutMs: 40_000 })).state).to.equal('READY');
  });

  after(async () => {
    await workers.close();
    await ctx.close();
    server.close();
  });

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
    ).reduce((boxes, [type, table]) => editBoxes(boxes, [...sampleTable, type], () => table), film);

  const refused: readonly { name: string; file: () => Buffer; key: string }[] = [
    {
      name: "a film whose media are another user's, by a path from its own",
      file: () =>
        withReference(empty, aliasTo(`x${victimPath.slice(dirname(dirname(victimPath)).length)}`, { up: 2, down: 2 })),
      key: 'unreadable',
    },
    {
      name: "a film whose media are another user's, by its whole path",
      file: () => withReference(empty, aliasTo(victimPath, { up: 0, down: 0 })),
      key: 'unreadable',
    },
    {
      name: 'a film whose media are at an address',
      file: () => withReference(empty, referenceTo(address)),
      key: 'unreadable',
    },
    {
      name: 'a film whose media are at the address of a file',
      file: () => withReference(empty, referenceTo(`file://${victimPath}`)),
      key: 'unreadable',
    },
    {
      name: 'a film that is nothing but a reference to another',
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
    { name: 'a packed index that claims gigabytes', file: () => packedIndex(0xc0000000, 1_000), key: 'unsupported' },
    { name: 'a packed index of hundreds of megabytes', file: () => packedIndex(2e8, 2e8), key: 'nothingToPlay' },
    { name: 'a film shown a hundred thousand times', file: () => withEdits(film, 1e5, 1_000), key: 'tooLong' },
    { name: 'two thousand million samples', file: () => withSamples(0x7fffffff), key: 'unreadable' },
    { name: 'twenty million samples in a small file', file: () => withSamples(2e7), key: 'unreadable' },
  ];

  for (const { name, file, key } of refused) {
    it(`refuses ${name}`, async () => {
      const id = await uploadClip(ctx, ownerId, file());
      const content = await eventually(() => settledContent(ctx, id), { timeoutMs: 40_000 });
      expect(content).to.include({ state: 'FAILED', failureKey: `content.failure.${key}` });
      expect(connections, 'connections to the address').to.equal(0);
      await eventually(async () => expect(await storedKeys(ctx, contentFolder(id))).to.deep.equal([]));
    });
  }

  const taken: readonly { name: string; file: () => Promise<Buffer> | Buffer }[] = [
    {
      name: 'has its media, but says that they are elsewhere',
      file: () => withReference(film, referenceTo(address)),
    },
    { name: 'names a file as its next part', file: () => withNextPart(victimPath) },
    { name: 'names an address as its next part', file: () => withNextPart(address) },
    { name: 'is shown for a moment, a thousand times', file: () => withEdits(film, 1_000, 2) },
  ];

  for (const { name, file } of taken) {
    it(`plays nothing but its own bytes of a film that ${name}`, async () => {
      const id = await uploadClip(ctx, ownerId, await file());
      const content = await eventually(() => settledContent(ctx, id), { timeoutMs: 40_000 });
      expect(content.state, content.failureDetail ?? '').to.equal('READY');
      expect(Number(content.durationMs)).to.be.closeTo(2_000, 100);
      expect(connections, 'connections to the address').to.equal(0);
    });
  }

  /** Matroska: an element of the same length in place of the title. */
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
