import { RtmpProtocolError } from './protocolError.js';

/** One RTMP message. */
export interface RtmpMessage {
  readonly type: number;
  /** Milliseconds, 32 bits, wrapping. */
  readonly timestamp: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** Message types of the RTMP specification, 5.4 and 7.1. */
export const messageType = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowAcknowledgementSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  commandAmf3: 17,
  dataAmf0: 18,
  commandAmf0: 20,
  aggregate: 22,
} as const;

const userControl = { streamBegin: 0, pingRequest: 6, pingResponse: 7 } as const;

/** A message that this side sends. Timestamps are always zero. */
export type ServerMessage = Omit<RtmpMessage, 'timestamp'>;

function control(type: number, payload: Buffer): ServerMessage {
  return { type, streamId: 0, payload };
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

export const setChunkSize = (size: number): ServerMessage => control(messageType.setChunkSize, uint32(size));

export const acknowledgement = (receivedBytes: number): ServerMessage =>
  control(messageType.acknowledgement, uint32(receivedBytes % 2 ** 32));

export const windowAcknowledgementSize = (bytes: number): ServerMessage =>
  control(messageType.windowAcknowledgementSize, uint32(bytes));

/** The limit is dynamic (2), as other servers send it. */
export const setPeerBandwidth = (bytes: number): ServerMessage =>
  control(messageType.setPeerBandwidth, Buffer.concat([uint32(bytes), Buffer.from([2])]));

export const streamBegin = (streamId: number): ServerMessage =>
  control(messageType.userControl, Buffer.concat([Buffer.from([0, userControl.streamBegin]), uint32(streamId)]));

/** The response to a ping request; null for every other user control message. */
export function pingResponse({ payload }: RtmpMessage): ServerMessage | null {
  if (payload.length < 6 || payload.readUInt16BE(0) !== userControl.pingRequest) return null;
  const head = Buffer.from([0, userControl.pingResponse]);
  return control(messageType.userControl, Buffer.concat([head, payload.subarray(2, 6)]));
}

/** The value of a control message with one number of 32 bits. */
export function readUint32({ payload }: RtmpMessage): number {
  if (payload.length < 4) throw new RtmpProtocolError('a control message is too short');
  return payload.readUInt32BE(0);
}

/** Header of a message inside an aggregate, and the back pointer after it. */
const innerHeaderBytes = 11;
const backPointerBytes = 4;
/** An aggregate has the media of a second at most. */
const maxInnerMessages = 1000;

/** Splits an aggregate message (RTMP specification, 7.1.6). The times of its messages are shifted to the time of the aggregate. */
export function* splitAggregate({ payload, timestamp, streamId }: RtmpMessage): Generator<RtmpMessage> {
  let offset: number | null = null;
  let count = 0;
  for (let at = 0; at < payload.length;) {
    if (++count > maxInnerMessages) throw new RtmpProtocolError('an aggregate of too many messages');
    if (at + innerHeaderBytes > payload.length) throw new RtmpProtocolError('an aggregate message ends early');
    const type = payload[at] as number;
    const length = payload.readUIntBE(at + 1, 3);
    const time = ((payload[at + 7] as number) * 2 ** 24 + payload.readUIntBE(at + 4, 3)) >>> 0;
    const start = at + innerHeaderBytes;
    if (start + length > payload.length) throw new RtmpProtocolError('an aggregate message ends early');
    if (type === messageType.aggregate) throw new RtmpProtocolError('an aggregate message inside another one');
    offset ??= timestamp - time;
    yield { type, timestamp: (time + offset) >>> 0, streamId, payload: payload.subarray(start, start + length) };
    at = start + length + backPointerBytes;
  }
}
