import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { decodeAmf0, encodeAmf0, type AmfInput, type AmfValue } from '../../../workers/rtmp/amf0.js';
import { ChunkReader } from '../../../workers/rtmp/chunkReader.js';
import { defaultRtmpLimits } from '../../../workers/rtmp/limits.js';
import { messageType, type RtmpMessage } from '../../../workers/rtmp/rtmpMessage.js';
import { eventually } from '../eventually.js';

/** H.264 configuration, keyframe and frame as RTMP messages. Their content is not decoded. */
export const media = {
  configuration: Buffer.from('17000000000142c01effe1000467424001010004', 'hex'),
  keyframe: Buffer.concat([Buffer.from('1701000000', 'hex'), Buffer.alloc(2000, 5)]),
  frame: Buffer.concat([Buffer.from('2701000000', 'hex'), Buffer.alloc(500, 6)]),
};

/** An encoder that sends any messages, also those that no encoder would send. */
export class RtmpClient {
  readonly received: RtmpMessage[] = [];
  readonly #reader = new ChunkReader(defaultRtmpLimits);
  readonly #encoder = new ChunkEncoder({ chunkSize: 128 });
  /** The server has closed the connection. The client keeps its side open, as a peer that ignores the end. */
  isClosed = false;

  private constructor(readonly socket: Socket) {}

  /** Connects from `localAddress` and performs the handshake. `preface`: bytes sent before, as a proxy does. */
  static async connect(
    port: number,
    { localAddress = '127.0.0.1', preface = Buffer.alloc(0) }: { localAddress?: string; preface?: Buffer } = {},
  ): Promise<RtmpClient> {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    const client = new RtmpClient(socket);
    socket.on('error', () => {});
    for (const event of ['end', 'close']) socket.on(event, () => (client.isClosed = true));
    await once(socket, 'connect');
    socket.write(Buffer.concat([preface, Buffer.from([3]), Buffer.alloc(2 * 1536, 1)]));
    let missing = 1 + 2 * 1536;
    await new Promise<void>((resolve) => {
      socket.on('data', (data: Buffer) => {
        const skipped = Math.min(missing, data.length);
        missing -= skipped;
        if (missing === 0) resolve();
        if (skipped < data.length) client.received.push(...client.#reader.read(data.subarray(skipped)));
      });
      for (const event of ['end', 'close']) socket.on(event, () => resolve());
    });
    return client;
  }

  /** Sends `connect` to an application, without `tcUrl`, which no server needs. */
  async connectTo(app: string): Promise<ReadonlyMap<string, AmfValue>> {
    this.command('connect', 1, { app, type: 'nonprivate' });
    return this.response('_result', '_error');
  }

  /** Sends the commands of OBS up to `publish`; resolves with the status of the publish. */
  async publish(app: string, name: string): Promise<ReadonlyMap<string, AmfValue>> {
    await this.connectTo(app);
    this.command('releaseStream', 2, null, name);
    this.command('FCPublish', 3, null, name);
    this.command('createStream', 4, null);
    this.command('publish', 5, null, name, 'live');
    return this.response('onStatus');
  }

  command(name: string, transaction: number, ...values: readonly AmfInput[]): void {
    this.send({ type: messageType.commandAmf0, payload: encodeAmf0(name, transaction, ...values), chunkStreamId: 3 });
  }

  video(payload: Buffer, timestamp = 0): void {
    this.send({ type: messageType.video, payload, timestamp, streamId: 1, chunkStreamId: 4 });
  }

  send(message: Pick<EncoderMessage, 'type' | 'payload'> & Partial<EncoderMessage>): void {
    this.socket.write(this.#encoder.encode([{ timestamp: 0, streamId: 0, chunkStreamId: 5, ...message }]));
  }

  /** The last member of the first response with one of these names; encoders read its `code`. Rejects when the connection is closed. */
  async response(...names: readonly string[]): Promise<ReadonlyMap<string, AmfValue>> {
    const missing = `no ${names.join(' or ')}`;
    const response = await eventually(
      () => {
        const found = this.#received(names);
        if (!found && !this.isClosed) throw new Error(missing);
        return found;
      },
      { timeoutMs: 20_000, everyMs: 5 },
    );
    if (!response) throw new Error(`${missing}, and the connection is closed`);
    return response;
  }

  #received(names: readonly string[]): ReadonlyMap<string, AmfValue> | undefined {
    for (const { type, payload } of this.received) {
      if (type !== messageType.commandAmf0) continue;
      const values = decodeAmf0(payload);
      const last = values.at(-1);
      if (names.some((name) => name === values[0]) && last instanceof Map) return last as ReadonlyMap<string, AmfValue>;
    }
    return undefined;
  }

  whenClosed(timeoutMs = 3000): Promise<void> {
    const check = (): void => {
      if (!this.isClosed) throw new Error('the connection is open');
    };
    return eventually(check, { timeoutMs, everyMs: 5 });
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** A message with the chunk stream that carries it. */
export interface EncoderMessage extends RtmpMessage {
  readonly chunkStreamId: number;
}

export interface ChunkEncoding {
  readonly chunkSize: number;
  /** Uses the shortest possible header, as encoders do; otherwise only headers of type 0. */
  readonly shortHeaders?: boolean;
  /** Some encoders omit the extended timestamp in type 3 chunks that continue a message. */
  readonly repeatsExtendedTimestamp?: boolean;
}

interface Previous {
  readonly timestamp: number;
  readonly field: number;
  readonly length: number;
  readonly type: number;
  readonly streamId: number;
}

const extendedMark = 0xffffff;

/** Chunks as an encoder sends them, written from the specification, without code of the tested reader. */
export class ChunkEncoder {
  readonly #previous = new Map<number, Previous>();

  constructor(private readonly encoding: ChunkEncoding) {}

  /** The chunks of a message. Messages of different chunk streams may be interleaved. */
  chunks(message: EncoderMessage): Buffer[] {
    const { chunkSize, repeatsExtendedTimestamp = true } = this.encoding;
    const { chunkStreamId, payload } = message;
    const { format, field } = this.#header(message);
    const extended = field >= extendedMark ? uint(field, 4) : Buffer.alloc(0);
    const first = [
      basicHeader(format, chunkStreamId),
      ...(format < 3 ? [uint(Math.min(field, extendedMark), 3)] : []),
      ...(format < 2 ? [uint(payload.length, 3), uint(message.type, 1)] : []),
      ...(format < 1 ? [littleEndian(message.streamId)] : []),
      extended,
      payload.subarray(0, chunkSize),
    ];
    const chunks = [Buffer.concat(first)];
    for (let at = chunkSize; at < payload.length; at += chunkSize) {
      const repeated = repeatsExtendedTimestamp ? extended : Buffer.alloc(0);
      chunks.push(Buffer.concat([basicHeader(3, chunkStreamId), repeated, payload.subarray(at, at + chunkSize)]));
    }
    return chunks;
  }

  encode(messages: readonly EncoderMessage[]): Buffer {
    return Buffer.concat(messages.flatMap((message) => this.chunks(message)));
  }

  #header({ chunkStreamId, timestamp, payload, type, streamId }: EncoderMessage): { format: number; field: number } {
    const previous = this.#previous.get(chunkStreamId);
    const delta = previous ? (timestamp - previous.timestamp) >>> 0 : 0;
    const isLike = previous?.length === payload.length && previous.type === type;
    const mayBeShort = this.encoding.shortHeaders && previous?.streamId === streamId && delta < 2 ** 31;
    const format = !mayBeShort ? 0 : !isLike ? 1 : delta === previous.field ? 3 : 2;
    const field = format === 0 ? timestamp : delta;
    this.#previous.set(chunkStreamId, { timestamp, field, length: payload.length, type, streamId });
    return { format, field };
  }
}

function basicHeader(format: number, id: number): Buffer {
  const bits = format << 6;
  if (id < 64) return Buffer.from([bits | id]);
  if (id < 320) return Buffer.from([bits, id - 64]);
  return Buffer.from([bits | 1, (id - 64) & 0xff, (id - 64) >> 8]);
}

function uint(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

/** A header of version 2 of the PROXY protocol; by default of the command PROXY. */
export function proxyHeaderBytes({
  command = 0x21,
  family,
  content,
}: {
  readonly command?: number;
  readonly family: number;
  readonly content: Buffer;
}): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  return Buffer.concat([signature, Buffer.from([command, family]), length, content]);
}

/** Addresses and ports of version 2, with this source address. */
export function tcp4(source: string): Buffer {
  return Buffer.from([...source.split('.').map(Number), 203, 0, 113, 1, 220, 4, 7, 143]);
}

export function tcp6(source: Buffer): Buffer {
  return Buffer.concat([source, Buffer.alloc(16, 1), Buffer.from([220, 4, 7, 143])]);
}
