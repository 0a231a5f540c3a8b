import type { OverlayOptions } from 'sharp';
import { imageLibrary } from '../../shared/platform/imageLibrary.js';
import { drawText, type TextImage, type TextStyle } from './slateText.js';

const slateWidth = 1280;
const slateHeight = 720;

/** The texts and image of a slate. Without a name it is the default slate, which has only a background. */
export interface SlateContent {
  readonly name: string | null;
  readonly next: { readonly time: string; readonly title: string } | null;
  /** An image file of a user, left out if it cannot be decoded. */
  readonly thumbnail: Buffer | null;
}

const margin = 96;
const thumbnailBox = { width: 520, height: 440 };
const maxPixels = 40_000_000;
const accent = '#6fb7ff';
const dark = '#0d1117';
/** Drawn over the blurred thumbnail, so that white text is readable on any image. */
const shade = { r: 13, g: 17, b: 23, alpha: 0.78 };
const accentLine = { width: 72, height: 5 };

/** The background of slates without a thumbnail. `mark` is drawn on it. */
function drawnGround(mark = ''): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${slateWidth}" height="${slateHeight}">
      <defs><linearGradient id="ground" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stop-color="#1f2a38"/><stop offset="1" stop-color="${dark}"/>
      </linearGradient></defs>
      <rect width="100%" height="100%" fill="url(#ground)"/>${mark}
    </svg>`,
  );
}

/** The mark on the default slate, which has no text. */
const screen = `<g fill="none" stroke="${accent}" stroke-width="8" stroke-linecap="round" stroke-linejoin="round" opacity="0.55">
  <rect x="530" y="280" width="220" height="146" rx="18"/><path d="M600 462h80M622 325l52 28-52 28z"/></g>`;

/** Renders the image of a slate as PNG: the thumbnail of the channel, its name, and below it the next program. */
export async function slateImage({ name, next, thumbnail }: SlateContent): Promise<Buffer> {
  const shown = thumbnail ? await framed(thumbnail) : null;
  const left = margin + (shown ? shown.width + 64 : 0);
  const column = { left, width: slateWidth - margin - left };
  const blocks = await textBlocks(name, next, column.width);
  const layers: OverlayOptions[] = [];
  if (shown) {
    layers.push(
      { input: shown.ground, left: 0, top: 0 },
      { input: shown.png, left: margin, top: Math.round((slateHeight - shown.height) / 2) },
    );
  }
  layers.push(...placed(blocks, column));
  const sharp = await imageLibrary();
  return sharp(drawnGround(name === null ? screen : ''))
    .composite(layers)
    .removeAlpha()
    .png()
    .toBuffer();
}

interface Block extends Pick<TextImage, 'png' | 'width' | 'height' | 'isRightToLeft'> {
  /** Pixels between this block and the previous one. */
  readonly gap: number;
}

async function textBlocks(name: string | null, next: SlateContent['next'], width: number): Promise<Block[]> {
  const style = { maxWidth: width, maxHeight: next ? 260 : 400, weight: 'bold', colour: '#ffffff' } as const;
  const [title, time, coming] = await Promise.all([
    name === null ? null : drawText(name, { ...style, sizes: [72, 60, 50, 42] }),
    next ? drawText(next.time, { ...small(width), colour: accent, weight: 'bold' }) : null,
    next ? drawText(next.title, small(width)) : null,
  ]);
  const isRightToLeft = title?.isRightToLeft ?? false;
  const blocks: Block[] = title ? [{ ...title, gap: 0 }] : [];
  if (!time && !coming) return blocks;
  if (title) blocks.push({ png: await line(), ...accentLine, isRightToLeft, gap: 34 });
  if (time) blocks.push({ ...time, isRightToLeft, gap: 34 });
  if (coming) blocks.push({ ...coming, gap: 18 });
  return blocks;
}

function small(width: number): TextStyle {
  return { sizes: [44, 38, 32], weight: 'normal', colour: '#dfe7f1', maxWidth: width, maxHeight: 130 };
}

async function line(): Promise<Buffer> {
  const sharp = await imageLibrary();
  return sharp({ create: { ...accentLine, channels: 3, background: accent } })
    .png()
    .toBuffer();
}

/** Stacked blocks, vertically centred on the slate. */
function placed(blocks: readonly Block[], column: { left: number; width: number }): OverlayOptions[] {
  let top = Math.round((slateHeight - blocks.reduce((sum, { gap, height }) => sum + gap + height, 0)) / 2);
  return blocks.map(({ png, width, height, gap, isRightToLeft }) => {
    const layer = {
      input: png,
      left: column.left + (isRightToLeft ? column.width - width : 0),
      top: top + gap,
    };
    top += gap + height;
    return layer;
  });
}

/** The thumbnail with round corners, and a dark background made from it. Null if it cannot be decoded. */
async function framed(file: Buffer): Promise<{ png: Buffer; width: number; height: number; ground: Buffer } | null> {
  const sharp = await imageLibrary();
  try {
    const image = sharp(file, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error' }).timeout({
      seconds: 20,
    });
    const { data, info } = await image
      .autoOrient()
      .resize({ ...thumbnailBox, fit: 'inside' })
      .toColourspace('srgb')
      .flatten({ background: dark })
      .png()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const corners = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" rx="14"/></svg>`,
    );
    const png = await sharp(data)
      .ensureAlpha()
      .composite([{ input: corners, blend: 'dest-in' }])
      .png()
      .toBuffer();
    const ground = await sharp(data)
      .resize({ width: slateWidth, height: slateHeight, fit: 'cover' })
      .blur(60)
      .composite([{ input: { create: { width: slateWidth, height: slateHeight, channels: 4, background: shade } } }])
      .png()
      .toBuffer();
    return { png, width, height, ground };
  } catch {
    return null;
  }
}
