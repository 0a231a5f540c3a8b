import sharp, { type Metadata, type Sharp } from 'sharp';

/** Pictures are small work beside video: one thread and no cache keep the process's memory flat. */
sharp.concurrency(1);
sharp.cache(false);

/** What may be a thumbnail: `docs/contract.md#choices-box`. Vector and document formats are read by nobody here. */
const formats = { gif: 'image/gif', png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;
type PictureFormat = keyof typeof formats;

/** All frames of an animation together; a decoded picture takes four bytes a pixel at most. */
const maximumPixels = 40_000_000;
const maximumFrames = 200;

export interface Picture {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

/** The format of a file by its first bytes, whatever its name or declared type say; null for any other. */
function pictureFormatOf(bytes: Buffer): PictureFormat | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'png';
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  return null;
}

/**
 * A file as a thumbnail, or null where it is no sound picture of a known format. It is decoded once from end to end;
 * one that tells of its maker (EXIF with a place, XMP, IPTC) or lies on its side is written anew without that.
 */
export async function readPicture(file: Buffer): Promise<Picture | null> {
  const format = pictureFormatOf(file);
  if (format === null) return null;
  try {
    const metadata = await sharp(file, { limitInputPixels: maximumPixels }).metadata();
    const frames = metadata.pages ?? 1;
    if (metadata.format !== format || frames > maximumFrames) return null;
    if (metadata.width * (metadata.pageHeight ?? metadata.height) * frames > maximumPixels) return null;
    if (tellsOfItsMaker(metadata)) return await rewrite(file, format, frames > 1);
    await open(file, frames > 1)
      .resize({ width: 320, withoutEnlargement: true })
      .toBuffer();
    return {
      bytes: file,
      mimeType: formats[format],
      width: metadata.width,
      height: metadata.pageHeight ?? metadata.height,
    };
  } catch {
    return null;
  }
}

/** A picture no wider than `width`, in its own format; animations stay animated. */
export async function narrowPicture(file: Buffer, width: number): Promise<Buffer> {
  const format = pictureFormatOf(file);
  if (format === null) throw new Error('the stored thumbnail is no picture');
  const picture = open(file, format === 'gif' || format === 'webp').resize({ width, withoutEnlargement: true });
  return picture.toFormat(format, format === 'jpeg' ? { quality: 82, mozjpeg: true } : {}).toBuffer();
}

function open(file: Buffer, animated: boolean): Sharp {
  return sharp(file, { limitInputPixels: maximumPixels, sequentialRead: true, animated, failOn: 'warning' });
}

async function rewrite(file: Buffer, format: PictureFormat, animated: boolean): Promise<Picture> {
  const options = format === 'jpeg' ? { quality: 92 } : {};
  const { data, info } = await open(file, animated)
    .autoOrient()
    .toFormat(format, options)
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, mimeType: formats[format], width: info.width, height: info.pageHeight ?? info.height };
}

function tellsOfItsMaker({ exif, xmp, iptc, orientation = 1 }: Metadata): boolean {
  return exif !== undefined || xmp !== undefined || iptc !== undefined || orientation > 1;
}
