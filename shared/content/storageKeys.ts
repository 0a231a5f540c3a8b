/*
 * Storage keys of the files of a content. Everything that plays is in the folder of its generation, which a grant opens.
 * Intermediate files are beside it, where no grant reaches them.
 */

export function contentFolder(contentId: string): string {
  return `content/${contentId}`;
}

/** Everything that a full grant opens. */
export function generationFolder(contentId: string, generation: number): string {
  return `${contentFolder(contentId)}/g${generation}`;
}

/** Everything that a preview grant opens. */
export function previewFolder(contentId: string, generation: number): string {
  return `${generationFolder(contentId, generation)}/preview`;
}

/** Intermediate files for the chunk jobs; removed when the generation is ready. The name is part of stored plans. */
export function processingFolder(contentId: string, generation: number): string {
  return `${contentFolder(contentId)}/making-g${generation}`;
}

/** Folder of one attempt at one chunk, relative to the folder of the generation or of its preview. */
export function attemptFolder(chunk: number, attempt: number): string {
  return `c${chunk}-a${attempt}`;
}

export const masterName = 'master.m3u8';
