const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A header of a response, which Node reads as Latin-1, as browsers read addresses and file names in it: as UTF-8 if its bytes are
 * valid UTF-8.
 */
export function headerText(header: string): string {
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
