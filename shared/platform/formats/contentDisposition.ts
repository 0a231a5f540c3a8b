/**
 * A file name as a client may give it, made fit to be handed out again: no path, control characters or quotes, and no
 * more than 255 characters. Blank where nothing is left.
 */
export function plainFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(/[\p{Cc}"<>:|?*\u200b-\u200f\u2028-\u202f\u2066-\u2069\ufeff]/gu, '')
    .trim()
    .replace(/^\.+/, '');
  return Array.from(plain).slice(0, 255).join('');
}

/** `Content-Disposition` that saves a file under a name: RFC 6266, with RFC 5987 for what ASCII can't say. */
export function attachment(fileName: string): string {
  const plain = plainFileName(fileName) || 'download';
  const ascii = plain
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%;]/g, '_');
  const encoded = encodeURIComponent(plain).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === plain
    ? `attachment; filename="${ascii}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
