import {
  contentFolder,
  contentIdOfKey,
  generationFolder,
  generationOfPath,
  type StoredContent,
} from './storageKeys.js';

/** Which stored files of a content are needed. */
export interface RetainedFiles {
  readonly content: StoredContent;
  /** The newest generation when this was read. */
  readonly newest: number;
  /** The generation that plays, with the folders of its chunks' results and its initialisation segments. Null: none. */
  readonly ready: {
    readonly generation: number;
    readonly folders: readonly string[];
    readonly inits: readonly string[];
  } | null;
  /** The generation that is being processed; all its files are needed. Null: none. */
  readonly processing: number | null;
}

/**
 * Whether a stored file belongs to the content and is not needed. Files of a generation above `newest` are needed: it was
 * begun after this was read.
 */
export function isObsolete({ content, newest, ready, processing }: RetainedFiles, key: string): boolean {
  if (contentIdOfKey(key) !== content.id) return false;
  const folder = `${contentFolder(content)}/`;
  if (!key.startsWith(folder)) return true;
  const generation = generationOfPath(key.slice(folder.length));
  if (generation === null) return true;
  if (generation > newest || generation === processing) return false;
  if (!ready) return true;
  const playing = `${generationFolder(content, ready.generation)}/`;
  if (!key.startsWith(playing)) return true;
  const path = key.slice(playing.length).replace(/^preview\//, '');
  const [first = '', ...rest] = path.split('/');
  if (rest.length === 0) return false;
  return first === 'init' ? !ready.inits.includes(path) : !ready.folders.includes(first);
}
