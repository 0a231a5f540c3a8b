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
