import { imageLibrary } from '../../shared/platform/imageLibrary.js';

/** A text as an image with a transparent background. */
export interface TextImage {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
  /** The text is written from right to left, so it is right-aligned in its column. */
  readonly isRightToLeft: boolean;
}

export interface TextStyle {
  /** Font sizes in pixels: the first that fits is used. */
  readonly sizes: readonly number[];
  readonly weight: 'normal' | 'bold';
  /** `#ffffff` */
  readonly colour: string;
  readonly maxWidth: number;
  readonly maxHeight: number;
}

/** No slate has space for more characters. */
const maxCharacters = 300;
/** No script has more combining marks on a letter. More of them would cover neighbouring text. */
const stackedAccents = /(\p{M}{3})\p{M}+/gu;
const maxCodePointsOfCharacter = 16;
/** A text whose first letter belongs to a right-to-left script. */
const rightToLeft = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
/** Control characters, including those that change the text direction. */
const unprintable = /[\p{Cc}\p{Co}\p{Cn}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Draws a user's text, in any script that a font of this machine has. The text is reduced in size, then shortened, until it fits.
 * Markup in the text is not interpreted. Null if nothing can be drawn.
 */
export async function drawText(text: string, style: TextStyle): Promise<TextImage | null> {
  const characters = charactersOf(text);
  if (characters.length === 0) return null;
  for (const size of style.sizes) {
    const image = await draw(characters.join(''), size, style);
    if (image && fits(image, style)) return image;
  }
  return shortened(characters, style);
}

/** As many characters as fit in the smallest size, found by binary search. */
async function shortened(characters: readonly string[], style: TextStyle): Promise<TextImage | null> {
  const size = style.sizes.at(-1) ?? 0;
  let [low, high] = [0, characters.length];
  let best: TextImage | null = null;
  while (low < high) {
    const count = Math.ceil((low + high) / 2);
    const image = await draw(`${characters.slice(0, count).join('').trimEnd()}…`, size, style);
    if (image && fits(image, style)) [low, best] = [count, image];
    else high = count - 1;
  }
  return best;
}

function fits({ width, height }: TextImage, { maxWidth, maxHeight }: TextStyle): boolean {
  return width <= maxWidth && height <= maxHeight;
}

/** The text as grapheme clusters, without unprintable characters. */
function charactersOf(text: string): string[] {
  const printable = text.replaceAll(/\s+/gu, ' ').replaceAll(unprintable, '').replaceAll(stackedAccents, '$1').trim();
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(printable.slice(0, 4_000));
  const characters: string[] = [];
  for (const { segment } of segments) {
    if (characters.length === maxCharacters) break;
    characters.push([...segment].slice(0, maxCodePointsOfCharacter).join(''));
  }
  return characters;
}

async function draw(text: string, size: number, { weight, colour, maxWidth }: TextStyle): Promise<TextImage | null> {
  const markup = `<span foreground="${colour}" insert_hyphens="false">${escaped(text)}</span>`;
  const options = { text: markup, font: `sans ${weight} ${size}`, width: maxWidth, dpi: 72, rgba: true } as const;
  const sharp = await imageLibrary();
  const image = sharp({ text: { ...options, wrap: 'word-char' } }).png();
  const drawn = await image.toBuffer({ resolveWithObject: true }).catch(() => null);
  if (!drawn) return null;
  const { width, height } = drawn.info;
  return { png: drawn.data, width, height, isRightToLeft: rightToLeft.test(text) };
}

/** Text as Pango markup: `&` first, so that no entity of the text is read as one. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
