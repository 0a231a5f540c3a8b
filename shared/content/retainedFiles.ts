import {
  contentFolder,
  contentIdOfKey,
  copyAttemptOfPath,
  generationFolder,
  generationOfPath,
  isIntermediatePath,
  storyboardOfPath,
  type StoredContent,
} from './storageKeys.js';

/** The stored files of a content that are needed. */
export interface RetainedFiles {
  readonly content: StoredContent;
  /** The newest generation at the time of the read. */
  readonly newest: number;
  /** The ready generation, and older ones that are still needed (`generationsInUse.ts`). */
  readonly playing: readonly RetainedGeneration[];
  /** The folder of its storyboard. Null: none is recorded, but one may be in progress. Undefined: no storyboard is needed. */
  readonly storyboard: string | null | undefined;
  /** The generation being processed; all its files and all intermediate files are needed. Null: none. */
  readonly processing: number | null;
}

/** A generation, with the folders of its chunks' results and its initialisation segments. */
export interface RetainedGeneration {
  readonly generation: number;
  readonly folders: readonly string[];
  readonly inits: readonly string[];
}

/**
 * Whether a stored file belongs to the content and is not needed. Files of generations above `newest` are needed: they started
 * after the read.
 */
export function isObsolete({ content, newest, playing, processing, storyboard }: RetainedFiles, key: string): boolean {
  if (contentIdOfKey(key) !== content.id) return false;
  const folder = `${contentFolder(content)}/`;
  if (!key.startsWith(folder)) return true;
  const pathInFolder = key.slice(folder.length);
  const ofStoryboard = storyboardOfPath(pathInFolder);
  if (ofStoryboard !== null) return storyboard !== null && ofStoryboard !== storyboard;
  const generation = generationOfPath(pathInFolder);
  if (generation === null) return true;
  if (generation > newest || generation === processing) return false;
  if (isIntermediatePath(pathInFolder)) return processing === null;
  const needed = playing.find((one) => one.generation === generation);
  const prefix = `${generationFolder(content, generation)}/`;
  if (!needed || !key.startsWith(prefix)) return true;
  const path = key.slice(prefix.length).replace(/^preview\//, '');
  const [first = '', ...rest] = path.split('/');
  if (rest.length === 0) return isListOfAnother(path, needed);
  return first === 'init' ? !needed.inits.includes(path) : !needed.folders.includes(first);
}

/** Whether a playlist belongs to a copy attempt other than the one that plays. */
function isListOfAnother(path: string, { folders }: RetainedGeneration): boolean {
  const attempt = copyAttemptOfPath(path);
  return attempt !== null && !folders.some((folder) => copyAttemptOfPath(`${folder}/`) === attempt);
}
