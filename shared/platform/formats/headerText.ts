const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a response header, which Node reads as Latin-1, in the same way as browsers decode addresses and file names: as UTF-8
 * if its bytes are valid UTF-8.
 */
export function headerText(header: string): string {
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
