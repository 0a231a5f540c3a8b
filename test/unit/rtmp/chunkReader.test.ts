import { expect } from 'chai';
import fc from 'fast-check';
import { ChunkReader } from '../../../workers/rtmp/chunkReader.js';
import { messageType, type RtmpMessage } from '../../../workers/rtmp/rtmpMessage.js';
import { RtmpProtocolError } from '../../../workers/rtmp/protocolError.js';
import { ChunkEncoder, type ChunkEncoding, type EncoderMessage } from '../../support/rtmp/rtmpClient.js';

const limits = { messageBytes: 256 * 1024, commandBytes: 16 * 1024, chunkStreams: 8 };

const video = (timestamp: number, payload: Buffer | number, chunkStreamId = 6): EncoderMessage => ({
  type: messageType.video,
  timestamp,
  streamId: 1,
  chunkStreamId,
  payload: typeof payload === 'number' ? Buffer.alloc(payload, timestamp & 0xff) : payload,
});

const chunkSizeMessage = (size: number): EncoderMessage => {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(size);
  return { type: messageType.setChunkSize, timestamp: 0, streamId: 0, chunkStreamId: 2, payload };
};

function read(...parts: readonly Buffer[]): RtmpMessage[] {
  const reader = new ChunkReader(limits);
  return parts.flatMap((part) => [...reader.read(part)]);
}

const withoutChunkStream = ({ type, timestamp, streamId, payload }: EncoderMessage): RtmpMessage => ({
  type,
  timestamp,
  streamId,
  payload,
});

/** Interleaved chunks of several messages. */
function interleave(...lists: readonly (readonly Buffer[])[]): Buffer {
  const longest = Math.max(...lists.map((list) => list.length));
  return Buffer.concat(Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat());
}

const timestamps = fc.oneof(
  fc.integer({ min: 0, max: 5000 }),
  fc.integer({ min: 0xfffff0, max: 0x1000010 }),
  fc.integer({ min: 0xffffff00, max: 0xffffffff }),
);

const messages = fc.array(
  fc.record({
    type: fc.constantFrom(8, 9, 18, 20),
    timestamp: timestamps,
    streamId: fc.constantFrom(0, 1),
    chunkStreamId: fc.constantFrom(3, 4, 63, 64, 319, 320, 65_599),
    payload: fc.uint8Array({ minLength: 0, maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 12 },
);

const encodings: fc.Arbitrary<ChunkEncoding> = fc.record({
  chunkSize: fc.constantFrom(128, 200, 4096),
  shortHeaders: fc.boolean(),
});

describe('the chunk reader', () => {
  it('reads the same messages for any split of the bytes', () => {
    fc.assert(
      fc.property(
        messages,
        encodings,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (sent, encoding, sizes) => {
          const bytes = new ChunkEncoder(encoding).encode(sent);
          const reader = new ChunkReader(limits);
          const start = new ChunkEncoder({ chunkSize: 128 }).encode([chunkSizeMessage(encoding.chunkSize)]);
          const found: RtmpMessage[] = [];
          expect([...reader.read(start)]).to.have.length(1);
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const size = sizes[turn % sizes.length] as number;
            found.push(...reader.read(bytes.subarray(at, at + size)));
            at += size;
          }
          expect(found).to.deep.equal(sent.map(withoutChunkStream));
          expect(reader.heldBytes).to.equal(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads the same messages for a split in two at any position', () => {
    const sent = [video(0, 300), video(40, 300), video(80, 300), video(0x1000000, 200, 70), video(0x1000028, 200, 400)];
    const bytes = new ChunkEncoder({ chunkSize: 128, shortHeaders: true }).encode(sent);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read(bytes.subarray(0, at), bytes.subarray(at)), `split at ${at}`).to.deep.equal(
        sent.map(withoutChunkStream),
      );
    }
  });

  it('reads interleaved messages of several chunk streams', () => {
    const encoder = new ChunkEncoder({ chunkSize: 128 });
    const [long, short] = [video(10, 1000, 6), video(5, 200, 4)];
    const found = read(interleave(encoder.chunks(long), encoder.chunks(short)));
    expect(found).to.deep.equal([short, long].map(withoutChunkStream));
  });

  it('wraps timestamps after 32 bits', () => {
    const sent = [video(0xfffffff0, 10), video(0x10, 10), video(0x30, 10), video(0x50, 10)];
    const bytes = new ChunkEncoder({ chunkSize: 128, shortHeaders: true }).encode(sent);
    expect(read(bytes).map(({ timestamp }) => timestamp)).to.deep.equal([0xfffffff0, 0x10, 0x30, 0x50]);
  });

  it('accepts extended timestamps that continuing chunks do not repeat', () => {
    const payload = Buffer.from(Array.from({ length: 1000 }, (_, at) => (at * 7) & 0xff));
    for (const repeatsExtendedTimestamp of [true, false]) {
      const encoder = new ChunkEncoder({ chunkSize: 128, repeatsExtendedTimestamp });
      expect(read(encoder.encode([video(0x2000000, payload)]))[0]?.payload.equals(payload)).to.equal(true);
    }
  });

  it('applies a new chunk size to the next chunk', () => {
    const start = new ChunkEncoder({ chunkSize: 128 }).encode([chunkSizeMessage(4096)]);
    const sent = video(0, 9000);
    expect(read(start, new ChunkEncoder({ chunkSize: 4096 }).encode([sent]))).to.deep.equal(
      [chunkSizeMessage(4096), sent].map(withoutChunkStream),
    );
  });

  it('drops an aborted message', () => {
    const encoder = new ChunkEncoder({ chunkSize: 128 });
    const abort: EncoderMessage = { ...chunkSizeMessage(6), type: messageType.abort };
    const [first] = encoder.chunks(video(0, 1000));
    const next = video(40, 50);
    const reader = new ChunkReader(limits);
    expect([...reader.read(first as Buffer)]).to.deep.equal([]);
    expect(reader.heldBytes).to.be.greaterThan(0);
    // It is returned as a message, so that the message limit also applies to it.
    expect([...reader.read(new ChunkEncoder({ chunkSize: 128 }).encode([abort]))]).to.deep.equal([
      withoutChunkStream(abort),
    ]);
    expect(reader.heldBytes).to.equal(0);
    expect([...reader.read(new ChunkEncoder({ chunkSize: 128 }).encode([next]))]).to.deep.equal([
      withoutChunkStream(next),
    ]);
  });
});

describe('the limits of the chunk reader', () => {
  const refused: readonly (readonly [string, () => Buffer])[] = [
    ['a message of 16 MB', () => Buffer.from([6, 0, 0, 0, 0xff, 0xff, 0xff, 9, 1, 0, 0, 0])],
    ['a command of 64 kB', () => Buffer.from([3, 0, 0, 0, 0x01, 0, 0, 20, 0, 0, 0, 0])],
    ['a chunk that continues an unknown chunk stream', () => Buffer.from([0xc6, 1, 2, 3])],
    ['a chunk size of zero', () => new ChunkEncoder({ chunkSize: 128 }).encode([chunkSizeMessage(0)])],
    ['a chunk size of one byte', () => new ChunkEncoder({ chunkSize: 128 }).encode([chunkSizeMessage(1)])],
    [
      'a chunk size with the highest bit',
      () => new ChunkEncoder({ chunkSize: 128 }).encode([chunkSizeMessage(2 ** 31)]),
    ],
    ['a control message without content', () => Buffer.from([2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])],
    [
      'a message inside another one of the same chunk stream',
      () => {
        const encoder = new ChunkEncoder({ chunkSize: 128 });
        const [first, , third] = encoder.chunks(video(0, 1000));
        return Buffer.concat([first as Buffer, third as Buffer, ...encoder.chunks(video(1, 10))]);
      },
    ],
    [
      'too many chunk streams',
      () => new ChunkEncoder({ chunkSize: 128 }).encode(Array.from({ length: 9 }, (_, at) => video(0, 1, 10 + at))),
    ],
    [
      'too many bytes in unfinished messages',
      () => {
        const parts = Array.from({ length: 3 }, (_, at) =>
          new ChunkEncoder({ chunkSize: 128 }).chunks(video(0, 200_000, 10 + at)).slice(0, 1200),
        );
        return Buffer.concat(parts.flat());
      },
    ],
  ];
  for (const [what, bytes] of refused)
    it(`reject ${what}`, () => {
      expect(() => read(bytes())).to.throw(RtmpProtocolError);
    });

  it('allocate no memory for a declared length before the bytes arrive', () => {
    const reader = new ChunkReader({ ...limits, messageBytes: 16 * 1024 ** 2 });
    expect([...reader.read(Buffer.from([6, 0, 0, 0, 0xff, 0xff, 0xff, 9, 1, 0, 0, 0, 7]))]).to.deep.equal([]);
    expect(reader.heldBytes).to.be.lessThan(20_000);
  });

  it('hold for random bytes and damaged chunks, without a crash', () => {
    const valid = new ChunkEncoder({ chunkSize: 128, shortHeaders: true }).encode([
      chunkSizeMessage(128),
      video(0, 500),
      video(40, 500),
      video(0x1000000, 300, 80),
    ]);
    const damage = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { maxLength: 6 });
    const random = fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes));
    const damaged = damage.map((changes) => {
      const bytes = Buffer.from(valid);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(random, damaged), fc.integer({ min: 1, max: 200 }), (bytes, size) => {
        const reader = new ChunkReader(limits);
        try {
          for (let at = 0; at < bytes.length; at += size) {
            for (const { payload } of reader.read(bytes.subarray(at, at + size)))
              expect(payload.length).to.be.at.most(limits.messageBytes);
            expect(reader.heldBytes).to.be.at.most(limits.messageBytes + limits.commandBytes + 18);
          }
        } catch (error) {
          expect(error).to.be.instanceOf(RtmpProtocolError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
