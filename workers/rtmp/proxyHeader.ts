import { isIPv4, isIPv6 } from 'node:net';
import { RtmpProtocolError } from './protocolError.js';

/** Maximum length in version 2, as in nginx; addresses and usual additions are much shorter. */
const maxHeaderBytes = 4096;
/** Maximum length of a version 1 line, including its end. */
const maxLineBytes = 107;
const lineStart = Buffer.from('PROXY ', 'latin1');
const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
/** Fixed part of version 2: signature, version and command, family and protocol, length of the rest. */
const fixedBytes = 16;

/** A parsed PROXY header. */
export interface ProxyHeader {
  /** Address of the client. Null if it is unknown, or if the proxy connects for itself (a health check). */
  readonly clientAddress: string | null;
  /** Length of the header. The following bytes are the client's. */
  readonly length: number;
}

/** Whether a connection begins with a PROXY header. No RTMP or TLS handshake begins with these bytes. */
export function isProxyHeaderStart(bytes: Buffer): boolean {
  return startsAlike(bytes, lineStart) || startsAlike(bytes, signature);
}

/**
 * Reads a header of the PROXY protocol, version 1 or 2 (https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt), from all
 * bytes received so far. Null if it is incomplete. Skips additional fields of version 2. Throws RtmpProtocolError as soon as the
 * bytes cannot be such a header.
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader | null {
  if (startsAlike(bytes, signature)) return readVersion2(bytes);
  if (startsAlike(bytes, lineStart)) return readVersion1(bytes);
  throw new RtmpProtocolError('no PROXY header');
}

function startsAlike(bytes: Buffer, expected: Buffer): boolean {
  const length = Math.min(bytes.length, expected.length);
  return bytes.subarray(0, length).equals(expected.subarray(0, length));
}

function readVersion1(bytes: Buffer): ProxyHeader | null {
  const line = bytes.subarray(0, maxLineBytes).toString('latin1');
  const end = line.indexOf('\r\n');
  if (end < 0) {
    if (bytes.length >= maxLineBytes) throw invalid();
    return null;
  }
  const length = end + 2;
  const [, family, source = '', destination = '', sourcePort, destinationPort, ...others] = line
    .slice(0, end)
    .split(' ');
  // The specification requires to ignore the rest of the line.
  if (family === 'UNKNOWN') return { clientAddress: null, length };
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isPlainIPv6 : () => false;
  const isValid =
    [source, destination].every(isAddress) && [sourcePort, destinationPort].every(isPort) && others.length === 0;
  if (!isValid) throw invalid();
  return { clientAddress: source, length };
}

function isPlainIPv6(address: string): boolean {
  return isIPv6(address) && !address.includes('%');
}

function isPort(text = ''): boolean {
  return /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;
}

const commands = { local: 0x20, proxy: 0x21 } as const;
/** Address families, in the upper half of a byte, with the size of both addresses and ports. */
const families: ReadonlyMap<number, { readonly bytes: number; readonly read?: (source: Buffer) => string }> = new Map([
  [0, { bytes: 0 }],
  [1, { bytes: 12, read: (source: Buffer) => source.subarray(0, 4).join('.') }],
  [2, { bytes: 36, read: readIPv6 }],
  // Unix sockets have no network address.
  [3, { bytes: 216 }],
]);
/** The lower half of the byte: unspecified, or a stream. */
const protocols = [0, 1];

function readVersion2(bytes: Buffer): ProxyHeader | null {
  if (bytes.length < fixedBytes) return null;
  const length = fixedBytes + bytes.readUInt16BE(14);
  if (length > maxHeaderBytes) throw invalid();
  const command = bytes.readUInt8(12);
  if (command !== commands.local && command !== commands.proxy) throw invalid();
  if (bytes.length < length) return null;
  // The specification requires to ignore the addresses of a local connection.
  if (command === commands.local) return { clientAddress: null, length };
  const family = families.get(bytes.readUInt8(13) >> 4);
  if (!family || !protocols.includes(bytes.readUInt8(13) & 0xf) || length < fixedBytes + family.bytes) throw invalid();
  return { clientAddress: family.read?.(bytes.subarray(fixedBytes)) ?? null, length };
}

function readIPv6(source: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => source.readUInt16BE(2 * index).toString(16));
  return groups.join(':');
}

function invalid(): RtmpProtocolError {
  return new RtmpProtocolError('invalid PROXY header');
}
