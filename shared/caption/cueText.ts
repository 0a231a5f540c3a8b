/*
 * The text of cues. Caption files are untrusted and shown in web pages: only italic, bold and underline tags are kept,
 * and everything else is escaped. Every loop is linear in the text's length.
 */

const permittedTags: ReadonlySet<string> = new Set(['i', 'b', 'u']);
const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00A0'],
  ['lrm', '\u200E'],
  ['rlm', '\u200F'],
]);
/** Maximum nesting; deeper tags are removed. */
const maxOpenTags = 10;
/** Longer tags are treated as text. */
const maxTag = 200;
const maxEntity = 10;

/**
 * Converts the text of a WebVTT or SubRip cue to WebVTT: all tags except `<i>`, `<b>` and `<u>` are removed, and open
 * tags are closed; SSA codes (`{\an8}`) are removed; other text is escaped. Empty lines, which would end a cue, are
 * removed.
 */
export function cleanCueText(source: string): string {
  const open: string[] = [];
  let text = '';
  for (const token of tokensOf(withoutControls(source))) {
    if (!('tag' in token)) text += escapeCueText(token.text);
    else if (token.tag.startsWith('/')) text += closed(open, token.tag.slice(1));
    else if (permittedTags.has(token.tag) && open.length < maxOpenTags) {
      open.push(token.tag);
      text += `<${token.tag}>`;
    }
  }
  const ends = open
    .toReversed()
    .map((tag) => `</${tag}>`)
    .join('');
  return withoutEmptyLines(text + ends);
}

/** The end tags of `tag` and of the tags opened inside it, innermost first. Empty: the tag is not open. */
function closed(open: string[], tag: string): string {
  const from = open.lastIndexOf(tag);
  if (from < 0) return '';
  return open
    .splice(from)
    .toReversed()
    .map((ended) => `</${ended}>`)
    .join('');
}

/** The visible text of a cue, without tags and escapes. */
export function plainCueText(text: string): string {
  return [...tokensOf(text)].map((token) => ('tag' in token ? '' : token.text)).join('');
}

export function escapeCueText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

type CueToken = { readonly text: string } | { readonly tag: string };

function* tokensOf(text: string): Generator<CueToken> {
  let position = 0;
  while (position < text.length) {
    const character = text[position];
    const end = character === '<' ? tagEnd(text, position) : -1;
    if (end > 0) {
      yield { tag: tagName(text.slice(position + 1, end)) };
      position = end + 1;
    } else if (character === '&') {
      const { read, length } = entityAt(text, position);
      yield { text: read };
      position += length;
    } else {
      const next = nextSpecial(text, position + 1);
      yield { text: text.slice(position, next) };
      position = next;
    }
  }
}

/** The position of the `>` that ends the tag at `start`; -1: it is not a tag. */
function tagEnd(text: string, start: number): number {
  if (!/[a-z/\d]/i.test(text[start + 1] ?? '')) return -1;
  const end = text.slice(start, start + maxTag).indexOf('>');
  return end < 0 ? -1 : start + end;
}

/** The tag names of `i.loud` and `font color="red"` are `i` and `font`; that of an end tag is `/i`. */
function tagName(inside: string): string {
  return (/^\/?[a-z\d:]*/i.exec(inside)?.[0] ?? '').toLowerCase();
}

function entityAt(text: string, start: number): { readonly read: string; readonly length: number } {
  const [entity = '', name = ''] = /^&(#?[a-z\d]+);/i.exec(text.slice(start, start + maxEntity)) ?? [];
  const read = name.startsWith('#') ? characterOf(name.slice(1)) : entities.get(name.toLowerCase());
  return read === undefined ? { read: '&', length: 1 } : { read, length: entity.length };
}

function characterOf(digits: string): string | undefined {
  const code = /^x[\da-f]+$/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  const isCharacter = Number.isInteger(code) && code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

function nextSpecial(text: string, from: number): number {
  for (let position = from; position < text.length; position += 1) {
    if (text[position] === '<' || text[position] === '&') return position;
  }
  return text.length;
}

/** Removes control characters, and the SSA codes that SubRip files contain. */
function withoutControls(text: string): string {
  return text
    .replaceAll(/\{\\[^{}\n]{0,200}\}/g, '')
    .replaceAll('\\N', '\n')
    .replaceAll(/(?!\n)\p{Cc}/gu, ' ');
}

function withoutEmptyLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll('-->', '--&gt;');
}
