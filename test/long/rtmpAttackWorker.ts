import { still } from '../../workers/live/packaging/replacement.js';
import { encodeAmf0 } from '../../workers/rtmp/amf0.js';
import { messageType } from '../../workers/rtmp/rtmpMessage.js';
import { writeFlvTag } from '../../shared/media/flv/index.js';
import { ChunkEncoder, type EncoderMessage, media, RtmpClient } from '../support/rtmp/rtmpClient.js';
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';

/** Bytes that an attacker sends repeatedly, as fast as the server reads them. */
export interface Attack {
  /** The bytes of a repetition, counted from 0. */
  readonly block: (round: number) => Buffer;
  /** Sent as part of the login, on consecutive connections. */
  readonly beforeLogin?: boolean;
}

const chunkSize = 65_536;
const encode = (messages: readonly Partial<EncoderMessage>[]): Buffer =>
  new ChunkEncoder({ chunkSize, shortHeaders: true }).encode(
    messages.map((message) => ({
      ...{ timestamp: 0, streamId: 1, chunkStreamId: 6, type: messageType.audio, payload: Buffer.alloc(0) },
      ...message,
    })),
  );
const repeated = (count: number, message: Partial<EncoderMessage>): Buffer =>
  encode(Array.from({ length: count }, () => message));
const always = (block: Buffer): Attack => ({ block: () => block });

const aac = { configuration: Buffer.from([0xaf, 0, 0x11, 0x90]), frame: Buffer.from([0xaf, 1, 0]) };
const aggregateOf = (count: number, type: number, payload: Buffer): Partial<EncoderMessage> => ({
  type: messageType.aggregate,
  payload: Buffer.concat(Array.from({ length: count }, () => writeFlvTag({ type, timestampMs: 0, payload })).flat()),
});
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const configured = repeated(1, { payload: aac.configuration });
const members = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`m${at}`, at % 2 === 0]));
const manyMembers = encodeAmf0('@setDataFrame', 'onMetaData', members);
/** An AVC configuration whose NAL units have a length of one byte, and a keyframe of empty units. */
const oneByteLengths = Buffer.from(still.configuration);
oneByteLengths[9] = 0xfc;

/** After the login, on one connection. */
const floods: Record<string, Attack> = {
  'aggregates of audio of three bytes': {
    block: (round) =>
      Buffer.concat([...(round === 0 ? [configured] : []), repeated(1, aggregateOf(230_000, 8, aac.frame))]),
  },
  'aggregates of empty messages': always(repeated(1, aggregateOf(270_000, 8, Buffer.alloc(0)))),
  'aggregates of unknown messages': always(repeated(1, aggregateOf(270_000, 99, Buffer.alloc(0)))),
  'audio of three bytes': always(Buffer.concat([configured, repeated(20_000, { payload: aac.frame })])),
  'empty messages': always(repeated(60_000, {})),
  'unknown messages': always(repeated(60_000, { type: 99 })),
  'chunk sizes': always(repeated(12_000, { type: messageType.setChunkSize, payload: uint32(chunkSize) })),
  'aborted messages': always(
    Buffer.concat(
      Array.from({ length: 500 }, () => [
        repeated(1, { chunkStreamId: 7, payload: Buffer.alloc(chunkSize + 1) }).subarray(0, 12 + chunkSize),
        repeated(1, { chunkStreamId: 2, type: messageType.abort, payload: uint32(7) }),
      ]).flat(),
    ),
  ),
  'aborts of nothing': always(repeated(12_000, { chunkStreamId: 2, type: messageType.abort, payload: uint32(99) })),
  acknowledgements: always(repeated(12_000, { type: messageType.acknowledgement, payload: uint32(1) })),
  'a window of one byte': always(repeated(1000, { type: messageType.windowAcknowledgementSize, payload: uint32(1) })),
  'chunk streams': always(
    encode(Array.from({ length: 12_000 }, (_, at) => ({ chunkStreamId: 6 + (at % 10), payload: aac.frame }))),
  ),
  'extended timestamps': always(repeated(10_000, { timestamp: 0x7fffffff, payload: aac.frame })),
  'metadata with many members': always(repeated(20, { type: messageType.dataAmf0, payload: manyMembers })),
  'metadata with long texts': always(
    repeated(5, {
      type: messageType.dataAmf0,
      payload: encodeAmf0('onMetaData', { a: 'é'.repeat(8000), b: '€'.repeat(5000), c: 'ü'.repeat(8000) }),
    }),
  ),
  'commands with many members': always(
    repeated(20, { type: messageType.commandAmf0, payload: encodeAmf0('x', 0, members) }),
  ),
  FCPublish: always(repeated(2000, { type: messageType.commandAmf0, payload: encodeAmf0('FCPublish', 0, null, 'x') })),
  pings: always(repeated(6000, { type: messageType.userControl, payload: Buffer.from([0, 6, 1, 2, 3, 4]) })),
  'keyframes of empty units': always(
    encode([
      { type: messageType.video, payload: oneByteLengths },
      {
        type: messageType.video,
        payload: Buffer.concat([media.keyframe.subarray(0, 5), Buffer.alloc(4 * 1024 ** 2 - 5)]),
      },
    ]),
  ),
  'large configurations': {
    block: (round) =>
      encode([
        {
          payload: Buffer.concat([aac.configuration, uint32(round), Buffer.alloc(4 * 1024 ** 2 - 8)]),
        },
        { payload: aac.frame },
      ]),
  },
  // Few segments: ffmpeg encodes all the time in between, also after the attacker has disconnected.
  'audio every five seconds': {
    block: (round) =>
      round > 0
        ? repeated(1000, {})
        : encode([
            { payload: aac.configuration },
            ...Array.from({ length: 60 }, (_, at) => ({ payload: aac.frame, timestamp: at * 4900 })),
          ]),
  },
  'changing video configurations': {
    block: () =>
      encode(
        Array.from({ length: 1000 }, (_, at) => [
          { type: messageType.video, payload: Buffer.concat([still.configuration, Buffer.from([at % 256])]) },
          { type: messageType.video, payload: Buffer.from([0x17, 1, 0, 0, 0, 0, 0, 0, 1, 0x65]) },
        ]).flat(),
      ),
  },
};

/** Before the login: the connection uses chunks of 128 bytes, and the server accepts 64 kB. */
const early = (messages: readonly Partial<EncoderMessage>[]): Attack => {
  const block = new ChunkEncoder({ chunkSize: 128, shortHeaders: true }).encode(
    messages.map((message) => ({
      ...{ timestamp: 0, streamId: 0, chunkStreamId: 3, type: messageType.commandAmf0, payload: Buffer.alloc(0) },
      ...message,
    })),
  );
  return { block: () => block, beforeLogin: true };
};
const connectTo = (app: string): { payload: Buffer } => ({ payload: encodeAmf0('connect', 1, { app }) });
const slashes = `x${'/'.repeat(16_000)}x`;

const logins: Record<string, Attack> = {
  'connect with slashes': early([connectTo(slashes)]),
  'publish with slashes': early([connectTo('key'), { payload: encodeAmf0('publish', 2, null, slashes) }]),
  'connect with members': early(
    Array.from({ length: 10 }, () => ({ payload: encodeAmf0('connect', 1, { ...members, app: 'key' }) })),
  ),
  'empty messages before login': early(Array.from({ length: 50_000 }, () => ({ type: messageType.audio + 90 }))),
  'FCPublish before login': early([
    connectTo('key'),
    ...Array.from({ length: 1500 }, () => ({ payload: encodeAmf0('FCPublish', 0, null, 'x') })),
  ]),
};

export const attacks: Readonly<Record<string, Attack>> = { ...floods, ...logins };

/** The task of this thread; null in the thread that starts it. */
export interface AttackOrder {
  readonly name: string;
  readonly port: number;
  /** One for each connection. */
  readonly streamKeys: readonly string[];
  readonly milliseconds: number;
}

const order = workerData as AttackOrder;
let until = 0;

async function flood(attack: Attack, client: RtmpClient): Promise<number> {
  let sent = 0;
  for (let round = 0; performance.now() < until && !client.isClosed; round += 1) {
    const block = attack.block(round);
    sent += block.length;
    if (client.socket.write(block)) await new Promise(setImmediate);
    else
      await Promise.race([
        once(client.socket, 'drain'),
        once(client.socket, 'close'),
        new Promise((resolve) => setTimeout(resolve, until - performance.now())),
      ]).catch(() => {});
  }
  return sent;
}

async function afterLogin(attack: Attack, streamKey: string): Promise<number> {
  const client = await RtmpClient.connect(order.port);
  await client.publish('key', streamKey);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(chunkSize);
  client.send({ type: messageType.setChunkSize, payload: size, chunkStreamId: 2 });
  const sent = await flood(attack, client);
  client.destroy();
  return sent;
}

async function beforeLogin(attack: Attack): Promise<number> {
  let sent = 0;
  while (performance.now() < until) {
    const client = await RtmpClient.connect(order.port);
    const block = attack.block(0);
    client.socket.write(block);
    sent += block.length;
    await Promise.race([
      client.whenClosed(order.milliseconds).catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now()))),
    ]);
    client.destroy();
  }
  return sent;
}

if (parentPort) {
  until = performance.now() + order.milliseconds;
  const attack = attacks[order.name] as Attack;
  const sent = await Promise.all(
    order.streamKeys.map((key) => (attack.beforeLogin ? beforeLogin(attack) : afterLogin(attack, key))),
  );
  parentPort.postMessage(
    sent.reduce((sum, bytes) => sum + bytes, 0),
    [],
  );
}
