/*
 * Where the files of a content lie. All that plays is under the folder of its generation, which a grant pins; what only
 * the making needs is beside it, out of any grant's reach.
 */

export function contentFolder(contentId: string): string {
  return `content/${contentId}`;
}

/** Everything that a full grant may fetch. */
export function generationFolder(contentId: string, generation: number): string {
  return `${contentFolder(contentId)}/g${generation}`;
}

/** Everything that a preview grant may fetch. */
export function previewFolder(contentId: string, generation: number): string {
  return `${generationFolder(contentId, generation)}/preview`;
}

/** Sound and copies for the chunk jobs; gone when the generation is ready. */
export function processingFolder(contentId: string, generation: number): string {
  return `${contentFolder(contentId)}/making-g${generation}`;
}

/** One attempt at one chunk, relative to the folder of a generation or of its preview. */
export function attemptFolder(chunk: number, attempt: number): string {
  return `c${chunk}-a${attempt}`;
}

export const masterName = 'master.m3u8';
