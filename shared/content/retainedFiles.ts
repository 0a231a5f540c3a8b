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

/** Which stored files of a content are needed. */
export interface RetainedFiles {
  readonly content: StoredContent;
  /** The newest generation when this was read. */
  readonly newest: number;
  /** The generation that plays, and older ones that are still needed (`generationsInUse.ts`). */
  readonly playing: readonly RetainedGeneration[];
  /** The folder of its storyboard. Null: none is recorded, and one may just be made; undefined: it needs none any more. */
  readonly storyboard: string | null | undefined;
  /** The generation that is being processed; all its files are needed, and all intermediate ones. Null: none. */
  readonly processing: number | null;
}

/** A generation, with the folders of its chunks' results and its initialisation segments. */
export interface RetainedGeneration {
  readonly generation: number;
  readonly folders: readonly string[];
  readonly inits: readonly string[];
}

/**
 * Whether a stored file belongs to the content and is not needed. Files of a generation above `newest` are needed: it was
 * begun after this was read.
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

/** Whether a playlist was written by an attempt to copy the generation that is not the one that plays. */
function isListOfAnother(path: string, { folders }: RetainedGeneration): boolean {
  const attempt = copyAttemptOfPath(path);
  return attempt !== null && !folders.some((folder) => copyAttemptOfPath(`${folder}/`) === attempt);
}
