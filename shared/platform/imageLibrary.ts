import type sharp from 'sharp';

/**
 * sharp, loaded by the first image: its native library takes tens of megabytes, which a process that handles no images does not
 * need. Images are little work compared to video: one thread and no cache keep the memory of the process constant.
 */
export async function imageLibrary(): Promise<typeof sharp> {
  const { default: library } = await import('sharp');
  library.concurrency(1);
  library.cache(false);
  return library;
}
