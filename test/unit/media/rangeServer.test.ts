import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { ByteRange } from '../../../shared/platform/storage/storage.js';
import { TooManyReadsError, withRangeServer } from '../../../workers/media/rangeServer.js';
import { eventually } from '../../support/eventually.js';
import { rejection } from '../../support/rejection.js';

const body = Buffer.alloc(20 * 1024 ** 2, 'media');

function serve<Result>(
  read: (range: ByteRange) => Readable,
  work: (address: string) => Promise<Result>,
  bytes = body.length,
) {
  const file = { bytes, read: async (range: ByteRange) => read(range) };
  return withRangeServer(file, ({ address }) => work(address));
}

const stored = ({ start, end }: ByteRange): Readable =>
  Readable.from([body.subarray(start, end + 1)], { objectMode: false });

describe('the range server of a stored file', () => {
  it('serves a range that takes several reads', async () => {
    const headers = { range: 'bytes=5-18000004' };
    const read = await serve(stored, async (address) => {
      const response = await fetch(address, { headers });
      expect(response.status).to.equal(206);
      expect(response.headers.get('content-range')).to.equal(`bytes 5-18000004/${body.length}`);
      return Buffer.from(await response.arrayBuffer());
    });
    expect(read.equals(body.subarray(5, 18_000_005))).to.equal(true);
  });

  it('rejects with the storage error, regardless of the tool’s result for the truncated file', async () => {
    const away = (): never => {
      throw new Error('the store is away');
    };
    const breaking = ({ start, end }: ByteRange): Readable =>
      Readable.from(
        (async function* () {
          yield body.subarray(start, start + 1000);
          if (end - start > 1000) throw new Error('the store is away');
        })(),
        { objectMode: false },
      );
    const read = async (address: string): Promise<unknown> => (await fetch(address)).arrayBuffer();
    for (const storage of [away, breaking]) {
      for (const made of [read, (address: string) => read(address).catch(() => 'a short file')]) {
        expect(await rejection(serve(storage, made))).to.have.property('message', 'the store is away');
      }
    }
  });

  it('serves at most a small multiple of the file size', async () => {
    let served = 0;
    const counted = (range: ByteRange): Readable => {
      served += range.end - range.start + 1;
      return stored(range);
    };
    const readOften = async (address: string): Promise<void> => {
      for (let read = 0; read < 20; read += 1) await (await fetch(address)).arrayBuffer();
    };
    // Four times the file size plus 64 MiB.
    const bytes = 5 * 1024 ** 2;
    expect(await rejection(serve(counted, readOften, bytes))).to.be.instanceOf(TooManyReadsError);
    const permitted = 4 * bytes + 64 * 1024 ** 2;
    expect(served).to.be.within(permitted, permitted + 2 * bytes);
  });

  it('accepts a reader that closes its connection', async () => {
    const closed: Readable[] = [];
    const open = (range: ByteRange): Readable => {
      const stream = stored(range);
      closed.push(stream);
      return stream;
    };
    const read = await serve(open, async (address) => {
      const reader = (await fetch(address)).body?.getReader();
      const part = await reader?.read();
      await reader?.cancel();
      await eventually(() => expect(closed.every(({ destroyed }) => destroyed)).to.equal(true));
      return part?.value?.length;
    });
    expect(read).to.be.within(1, body.length);
  });
});
