import type { Metadata, Sharp } from 'sharp';
import { InsufficientStorageError, UnavailableError } from '../platform/errors.js';
import { isStorageFull } from '../platform/storage/storageFull.js';
import { imageLibrary } from '../platform/imageLibrary.js';

/** Formats of thumbnails: `docs/contract.md#choices-box`. Vector and document formats are never decoded. */
const formats = { gif: 'image/gif', png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;
type ImageFormat = keyof typeof formats;

/** A decoded image takes at most four bytes per pixel. */
const maxPixels = 40_000_000;
/** Sum of all frames of an animation: each frame is decoded, and encoded again in every width. */
const maxAnimationPixels = 16_000_000;
const maxFrames = 200;
/** For a progressive JPEG: each scan is a pass over the complete image. Encoders write about ten. */
const maxScans = 100;
/** An image at these limits takes one or two seconds. Longer processing is aborted. */
const timeoutSeconds = 20;
/** Low effort: encoding takes little more time than decoding, and files become slightly larger. */
const encoderOptions = {
  gif: { effort: 1 },
  webp: { effort: 2 },
  jpeg: { quality: 82, mozjpeg: true },
  png: {},
} as const;

const scanMarker = Buffer.from([0xff, 0xda]);

/** An encoded image; width and height in pixels. */
export interface Image {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

/** The format of a file by its first bytes; its name and declared type are ignored. Null for any other format. */
function imageFormatOf(bytes: Buffer): ImageFormat | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'png';
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  return null;
}

/**
 * Validates an uploaded image: frames, pixels and scans by its headers, then by decoding it completely. Null if it is damaged,
 * too large, or of an unknown format. Throws InsufficientStorageError or UnavailableError if the machine cannot decode it
 * now. Callers queue with `ImageQueue`, because decoding occupies a thread. An image with metadata (EXIF with a location, XMP,
 * IPTC) or rotation is encoded again without them.
 */
export async function readImage(file: Buffer): Promise<Image | null> {
  const format = imageFormatOf(file);
  if (format === null) return null;
  const sharp = await imageLibrary();
  try {
    if (format === 'jpeg' && scansOf(file) > maxScans) return null;
    const metadata = await sharp(file, { limitInputPixels: maxPixels }).metadata();
    const frames = metadata.pages ?? 1;
    if (metadata.format !== format || frames > maxFrames) return null;
    const pixels = metadata.width * (metadata.pageHeight ?? metadata.height) * frames;
    if (pixels > (frames > 1 ? maxAnimationPixels : maxPixels)) return null;
    if (hasPersonalMetadata(metadata)) return await rewrite(file, format, frames > 1);
    // Decodes all frames without encoding them: encoding an animation takes many times longer.
    const image = await open(file, frames > 1);
    await image.resize({ width: 32 }).raw().toBuffer();
    return {
      bytes: file,
      mimeType: formats[format],
      width: metadata.width,
      height: metadata.pageHeight ?? metadata.height,
    };
  } catch (error) {
    assertFaultOfImage(error as Error);
    return null;
  }
}

/** Less memory than re-encoding an image of the maximum size needs. */
const littleMemoryBytes = 512 * 1024 ** 2;

/**
 * Throws if the machine lacks disk space, memory or file descriptors, regardless of the image. libvips reports this only as text,
 * which an image can also cause: for memory errors, the available memory is checked.
 */
export function assertFaultOfImage(error: Error, availableBytes = process.availableMemory()): void {
  const { message } = error;
  if (isStorageFull(error) || /No space left on device|Disk quota exceeded/.test(message))
    throw new InsufficientStorageError({ key: 'error.insufficientStorage', detail: message, cause: error });
  const isMemory = /out of memory|Cannot allocate memory|unable to allocate|bad_alloc/i.test(message);
  if (/Too many open files/.test(message) || (isMemory && availableBytes < littleMemoryBytes))
    throw new UnavailableError({ key: 'error.unavailable', detail: message, cause: error });
}

/** Upper bound of a JPEG's scans: the marker cannot occur in compressed data, but in metadata. */
function scansOf(file: Buffer): number {
  let scans = 0;
  for (let at = file.indexOf(scanMarker); at !== -1 && scans <= maxScans; at = file.indexOf(scanMarker, at + 2))
    scans += 1;
  return scans;
}

/** Scales an image down to at most `width` pixels, in the same format. Animations stay animated. */
export async function narrowImage(file: Buffer, width: number): Promise<Buffer> {
  const format = imageFormatOf(file);
  if (format === null) throw new Error('the stored thumbnail is not an image');
  const image = await open(file, format === 'gif' || format === 'webp');
  return image.resize({ width, withoutEnlargement: true }).toFormat(format, encoderOptions[format]).toBuffer();
}

async function open(file: Buffer, animated: boolean): Promise<Sharp> {
  const sharp = await imageLibrary();
  return sharp(file, { limitInputPixels: maxPixels, sequentialRead: true, animated, failOn: 'warning' }).timeout({
    seconds: timeoutSeconds,
  });
}

async function rewrite(file: Buffer, format: ImageFormat, animated: boolean): Promise<Image> {
  const options = format === 'jpeg' ? { quality: 92 } : encoderOptions[format];
  const image = await open(file, animated);
  const { data, info } = await image.autoOrient().toFormat(format, options).toBuffer({ resolveWithObject: true });
  return { bytes: data, mimeType: formats[format], width: info.width, height: info.pageHeight ?? info.height };
}

function hasPersonalMetadata({ exif, xmp, iptc, orientation = 1 }: Metadata): boolean {
  return exif !== undefined || xmp !== undefined || iptc !== undefined || orientation > 1;
}
