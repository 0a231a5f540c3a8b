import type sharp from 'sharp';

/**
 * Loads sharp at the first image: its native library takes tens of megabytes, which a process without images does not need.
 * Images are little work compared to video: one thread and no cache keep memory usage constant.
 */
export async function imageLibrary(): Promise<typeof sharp> {
  const { default: library } = await import('sharp');
  library.concurrency(1);
  library.cache(false);
  return library;
}
