import { create, parse } from 'content-disposition';
import { headerText } from './headerText.js';

const joined = String.raw`(?![\x00-\x7f])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]`;
/** A joiner (U+200C, U+200D) without a character to join; emoji and many scripts need joiners between their parts. */
const strayJoiner = new RegExp(`(?<!${joined})[\\u200c\\u200d]|[\\u200c\\u200d](?!${joined})`, 'gu');

/**
 * The file name of an upload, safe to send to other clients: without path, control characters, quotes and characters that change
 * the direction of text, and at most 255 characters long. Empty if nothing remains.
 */
export function plainFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(/[\p{Cc}"<>:|?*\u200b\u200e\u200f\u2028-\u202f\u2066-\u2069\ufeff]/gu, '')
    .replace(strayJoiner, '')
    .trim()
    .replace(/^\.+/, '');
  return Array.from(plain).slice(0, 255).join('').replace(strayJoiner, '');
}

/**
 * The safe file name of a received `Content-Disposition`: that of `filename*`, if it can be decoded, before that of `filename`
 * (RFC 6266). Empty if it names none.
 */
export function namedFile(header: string): string {
  return plainFileName(parse(headerText(header)).parameters['filename'] ?? '');
}

/**
 * `Content-Disposition` that saves a file under a name (RFC 6266). Names that are not plain ASCII are sent twice: encoded by RFC
 * 8187, and as ASCII for clients without support for it.
 */
export function attachment(fileName: string): string {
  const plain = plainFileName(fileName) || 'download';
  const ascii = plain
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%;]/g, '_');
  return create(plain, { fallback: ascii });
}
