import { RtmpProtocolError } from './protocolError.js';

/** An AMF0 value. Undefined, unsupported and null are null; a date is its milliseconds. Objects and ECMA arrays are maps. */
export type AmfValue = number | boolean | string | null | readonly AmfValue[] | ReadonlyMap<string, AmfValue>;

/** Limits of an AMF0 message. */
const limits = { depth: 8, values: 1024, stringBytes: 16 * 1024 };

const marker = {
  number: 0,
  boolean: 1,
  string: 2,
  object: 3,
  null: 5,
  undefined: 6,
  ecmaArray: 8,
  objectEnd: 9,
  strictArray: 10,
  date: 11,
  longString: 12,
  unsupported: 13,
  xml: 15,
  typedObject: 16,
} as const;

/**
 * Decodes the values of a payload. Depth, number of values and string lengths are limited; a claimed count takes no memory. Throws
 * `RtmpProtocolError` if a limit is exceeded, and for unsupported types such as references and AMF3.
 */
export function decodeAmf0(payload: Buffer): AmfValue[] {
  const decoder = new Decoder(payload);
  const values: AmfValue[] = [];
  while (!decoder.isAtEnd) values.push(decoder.value(0));
  return values;
}

class Decoder {
  #at = 0;
  #values = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  value(depth: number): AmfValue {
    this.#values += 1;
    if (depth > limits.depth || this.#values > limits.values) throw new RtmpProtocolError('AMF data is too complex');
    const found = this.#take(1)[0] as number;
    switch (found) {
      case marker.number:
        return this.#take(8).readDoubleBE(0);
      case marker.boolean:
        return this.#take(1)[0] !== 0;
      case marker.string:
        return this.#text(this.#take(2).readUInt16BE(0));
      case marker.longString:
      case marker.xml:
        return this.#text(this.#take(4).readUInt32BE(0));
      case marker.null:
      case marker.undefined:
      case marker.unsupported:
        return null;
      case marker.date:
        return this.#take(10).readDoubleBE(0);
      case marker.strictArray:
        return this.#array(this.#take(4).readUInt32BE(0), depth);
      case marker.typedObject:
        this.#text(this.#take(2).readUInt16BE(0));
        return this.#members(depth);
      case marker.ecmaArray:
        // The count is only a hint: encoders write zero or a wrong number.
        this.#take(4);
        return this.#members(depth);
      case marker.object:
        return this.#members(depth);
      default:
        throw new RtmpProtocolError('AMF data of an unknown type');
    }
  }

  #take(length: number): Buffer {
    if (this.#at + length > this.bytes.length) throw new RtmpProtocolError('AMF data ends early');
    const part = this.bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return part;
  }

  #text(length: number): string {
    if (length > limits.stringBytes) throw new RtmpProtocolError('a string of AMF data is too long');
    return this.#take(length).toString('utf8');
  }

  #array(length: number, depth: number): AmfValue[] {
    if (length > limits.values) throw new RtmpProtocolError('AMF data is too complex');
    const values: AmfValue[] = [];
    while (values.length < length) values.push(this.value(depth + 1));
    return values;
  }

  #members(depth: number): ReadonlyMap<string, AmfValue> {
    const members = new Map<string, AmfValue>();
    for (;;) {
      const name = this.#text(this.#take(2).readUInt16BE(0));
      if (name === '' && this.bytes[this.#at] === marker.objectEnd) {
        this.#at += 1;
        return members;
      }
      members.set(name, this.value(depth + 1));
    }
  }
}

/** A value to encode. Members of an object keep their order. */
export type AmfInput = number | boolean | string | null | { readonly [name: string]: AmfInput };

/** Strings and member names must be shorter than 64 kB. */
export function encodeAmf0(...values: readonly AmfInput[]): Buffer {
  return Buffer.concat(values.flatMap(encodeValue));
}

function encodeValue(value: AmfInput): Buffer[] {
  if (value === null) return [Buffer.from([marker.null])];
  if (typeof value === 'boolean') return [Buffer.from([marker.boolean, Number(value)])];
  if (typeof value === 'string') return [Buffer.from([marker.string]), ...encodeText(value)];
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes.writeDoubleBE(value, 1);
    return [bytes];
  }
  const members = Object.entries(value).flatMap(([name, member]) => [...encodeText(name), ...encodeValue(member)]);
  return [Buffer.from([marker.object]), ...members, Buffer.from([0, 0, marker.objectEnd])];
}

function encodeText(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return [length, bytes];
}
