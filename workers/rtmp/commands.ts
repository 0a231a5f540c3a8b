import { decodeAmf0, encodeAmf0, type AmfInput, type AmfValue } from './amf0.js';
import { messageType, type RtmpMessage, type ServerMessage } from './rtmpMessage.js';
import { RtmpProtocolError } from './protocolError.js';

/** A command of the peer: its name, transaction number and arguments. */
export interface RtmpCommand {
  readonly name: string;
  readonly transaction: number;
  readonly values: readonly AmfValue[];
}

/** The only stream of a connection. */
export const mediaStreamId = 1;

/** Descriptions are short sentences; a longer one would need more than one chunk. */
const descriptionCharacters = 512;

/** Decodes a command. An AMF3 command is an AMF0 command after a zero byte. */
export function decodeCommand(message: RtmpMessage): RtmpCommand {
  const [name, transaction, ...values] = decodeAmf0(amf0Of(message, messageType.commandAmf3));
  if (typeof name !== 'string') throw new RtmpProtocolError('a command without a name');
  return { name, transaction: typeof transaction === 'number' ? transaction : 0, values };
}

/** Decodes the values of a data message: its name and arguments. */
export function decodeData(message: RtmpMessage): AmfValue[] {
  return decodeAmf0(amf0Of(message, messageType.dataAmf3));
}

function amf0Of({ type, payload }: RtmpMessage, amf3Type: number): Buffer {
  return type === amf3Type && payload[0] === 0 ? payload.subarray(1) : payload;
}

/** The members of a command value that is an object; empty for other values. */
export function membersOf(value: AmfValue | undefined): ReadonlyMap<string, AmfValue> {
  return value instanceof Map ? value : new Map();
}

/** Encodes a command: `values` are its transaction number and arguments. */
export function command(streamId: number, name: string, ...values: readonly AmfInput[]): ServerMessage {
  return { type: messageType.commandAmf0, streamId, payload: encodeAmf0(name, ...values) };
}

export function result(transaction: number, ...values: readonly AmfInput[]): ServerMessage {
  return command(0, '_result', transaction, ...(values.length > 0 ? values : [null, null]));
}

export function connectResult(transaction: number): ServerMessage {
  return result(
    transaction,
    { fmsVer: 'FMS/3,0,1,123', capabilities: 31 },
    { ...status('status', 'NetConnection.Connect.Success', 'Connection succeeded.'), objectEncoding: 0 },
  );
}

/** The response to a refused `connect`. librtmp reads the description up to a zero byte, which follows the last member. */
export function connectError(transaction: number, description: string): ServerMessage {
  return command(0, '_error', transaction, null, status('error', 'NetConnection.Connect.Rejected', description));
}

export function publishStatus(level: 'status' | 'error', code: string, description: string): ServerMessage {
  return command(mediaStreamId, 'onStatus', 0, null, status(level, code, description));
}

/** The notification that Adobe's encoders wait for, `onFCPublish` or `onFCUnpublish`. */
export function fcNotification(name: 'onFCPublish' | 'onFCUnpublish', code: string): ServerMessage {
  return command(0, name, 0, null, status('status', code, ''));
}

function status(level: 'status' | 'error', code: string, description: string): Record<string, string> {
  return { level, code, description: description.slice(0, descriptionCharacters) };
}
