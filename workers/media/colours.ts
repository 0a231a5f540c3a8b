import type { SourceColours } from '../../shared/media/sourceColours.js';

/**
 * Options of the filter `scale` for a JPEG file, which has no colour tags: always the BT.601 matrix in full range. Without the
 * flags, greys would become slightly purple.
 */
export const jpegColours = 'flags=bicubic+accurate_rnd+full_chroma_int:out_color_matrix=bt601:out_range=full';

/** The BT.601 matrix of standard definition. */
export const standardMatrix = 'smpte170m';

/** The matrix that players assume for video without tags: BT.601 in standard definition, BT.709 in larger sizes. */
export function assumedMatrix({ width, height }: { readonly width: number; readonly height: number }): string {
  return width < 1280 && height <= 576 ? standardMatrix : 'bt709';
}

/**
 * Options of an H.264 decoder or of a copied output: the colours of video without tags. A decoder prefers the tags of the video;
 * the file of a copied output gets these tags.
 */
export function colourOptions({ matrix, primaries, transfer }: SourceColours): string[] {
  return [
    ...(matrix ? ['-colorspace:v', matrix] : []),
    ...(primaries ? ['-color_primaries:v', primaries] : []),
    ...(transfer ? ['-color_trc:v', transfer] : []),
  ];
}

/** The colours of a stream, as ffprobe reports them. */
export interface TaggedColours {
  readonly width?: number;
  readonly height?: number;
  readonly pix_fmt?: string;
  readonly color_space?: string;
  readonly color_primaries?: string;
  readonly color_transfer?: string;
}

/** RGB has no matrix. */
const rgbFormats = /rgb|bgr|gbr|^pal8/;

/**
 * The colours from the tags, or assumed ones. Without tags, primaries and transfer function are assumed to be those of nearly all
 * displays: players do not convert them either.
 */
export function coloursOf(stream: TaggedColours): SourceColours {
  const { color_space, color_primaries, color_transfer, pix_fmt = '', width = 0, height = 0 } = stream;
  const isStandard = color_space === 'bt470bg' || color_space === standardMatrix;
  const assumed = color_space || rgbFormats.test(pix_fmt) ? null : assumedMatrix({ width, height });
  const matrix = isStandard ? standardMatrix : assumed;
  return {
    ...(matrix ? { matrix } : {}),
    ...(color_primaries ? {} : { primaries: 'bt709' }),
    ...(color_transfer ? {} : { transfer: 'bt709' }),
  };
}
