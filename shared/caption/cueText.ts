/*
 * The text of cues. Files of captions come from anybody and are shown in pages: of all tags only italic, bold and underlined text
 * is kept, and everything else is escaped. Every loop reads each character once.
 */

const keptTags: ReadonlySet<string> = new Set(['i', 'b', 'u']);
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
/** Tags inside of each other; more are left out. */
const maxOpenTags = 10;
/** A longer one is text. */
const maxTag = 200;
const maxEntity = 10;

/**
 * The text of a cue in WebVTT or SubRip as WebVTT: tags are removed but for `<i>`, `<b>` and `<u>`, which are closed; codes of SSA
 * (`{\an8}`) are removed; the rest is escaped. Empty lines, which would end a cue, are left out.
 */
export function cleanCueText(given: string): string {
  const open: string[] = [];
  let text = '';
  for (const token of tokensOf(withoutControls(given))) {
    if (!('tag' in token)) text += escapeCueText(token.text);
    else if (token.tag.startsWith('/')) text += closed(open, token.tag.slice(1));
    else if (keptTags.has(token.tag) && open.length < maxOpenTags) {
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

/** The tags that end with this one, innermost first. A tag that was not opened ends nothing. */
function closed(open: string[], tag: string): string {
  const from = open.lastIndexOf(tag);
  if (from < 0) return '';
  return open
    .splice(from)
    .toReversed()
    .map((ended) => `</${ended}>`)
    .join('');
}

/** What a viewer reads of a cue, without tags and escapes. */
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

/** Where the tag that begins here ends; -1: it is no tag. */
function tagEnd(text: string, start: number): number {
  if (!/[a-z/\d]/i.test(text[start + 1] ?? '')) return -1;
  const end = text.slice(start, start + maxTag).indexOf('>');
  return end < 0 ? -1 : start + end;
}

/** `i.loud` and `font color="red"` are tags `i` and `font`; `/i` is the end of one. */
function tagName(inside: string): string {
  return (/^\/?[a-z\d:]*/i.exec(inside)?.[0] ?? '').toLowerCase();
}

function entityAt(text: string, start: number): { readonly read: string; readonly length: number } {
  const [whole = '', name = ''] = /^&(#?[a-z\d]+);/i.exec(text.slice(start, start + maxEntity)) ?? [];
  const read = name.startsWith('#') ? characterOf(name.slice(1)) : entities.get(name.toLowerCase());
  return read === undefined ? { read: '&', length: 1 } : { read, length: whole.length };
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

/** Without control characters, and without the codes of SSA that SubRip files contain. */
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
