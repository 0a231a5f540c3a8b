import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { decodeAmf0, encodeAmf0, type AmfInput, type AmfValue } from '../../../workers/rtmp/amf0.js';
import { ChunkReader } from '../../../workers/rtmp/chunkReader.js';
import { defaultRtmpLimits } from '../../../workers/rtmp/limits.js';
import { messageType, type RtmpMessage } from '../../../workers/rtmp/rtmpMessage.js';
import { eventually } from '../eventually.js';
import { ChunkEncoder, type EncoderMessage } from './encoderChunks.js';

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

  /** The last member of the first response with one of these names; encoders read its `code`. */
  response(...names: readonly string[]): Promise<ReadonlyMap<string, AmfValue>> {
    return eventually(
      () => {
        for (const { type, payload } of this.received) {
          if (type !== messageType.commandAmf0) continue;
          const values = decodeAmf0(payload);
          const last = values.at(-1);
          if (names.some((name) => name === values[0]) && last instanceof Map)
            return last as ReadonlyMap<string, AmfValue>;
        }
        throw new Error(`no ${names.join(' or ')}${this.isClosed ? ', and the connection is closed' : ''}`);
      },
      { timeoutMs: 20_000, everyMs: 5 },
    );
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
