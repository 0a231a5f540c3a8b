import sharp from 'sharp';

/** An animation of single-colour frames: a small file with many pixels. */
export async function flatAnimation(
  width: number,
  height: number,
  frames: number,
  format: 'gif' | 'webp' = 'gif',
): Promise<Buffer> {
  const images = Array.from({ length: frames }, (_, index) => {
    // The colours differ clearly, because encoders merge nearly equal frames.
    const background = { r: (index * 37) % 256, g: (index * 91) % 256, b: (index * 53) % 256 };
    return sharp({ create: { width, height, channels: 3, background } })
      .png({ compressionLevel: 1 })
      .toBuffer();
  });
  return sharp(await Promise.all(images), { join: { animated: true } })
    .toFormat(format, { effort: 1 })
    .toBuffer();
}

/** A JPEG whose last scan is repeated. */
export async function jpegOfScans(scans: number): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#3366aa' } })
    .jpeg({ progressive: true })
    .toBuffer();
  const last = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
  return Buffer.concat([jpeg.subarray(0, -2), ...Array<Buffer>(scans).fill(last), jpeg.subarray(-2)]);
}
