import { contentFolder, generationFolder, processingFolder } from './storageKeys.js';

/** Which stored files of a content are needed. */
export interface RetainedFiles {
  readonly contentId: string;
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

/** Whether a stored file belongs to the content and is not needed. */
export function isObsolete(retained: RetainedFiles, key: string): boolean {
  const { contentId, ready, processing } = retained;
  if (!key.startsWith(`${contentFolder(contentId)}/`)) return false;
  if (
    processing !== null &&
    (isIn(generationFolder(contentId, processing), key) || isIn(processingFolder(contentId, processing), key))
  )
    return false;
  if (!ready || !isIn(generationFolder(contentId, ready.generation), key)) return true;
  const path = key.slice(generationFolder(contentId, ready.generation).length + 1).replace(/^preview\//, '');
  const [first = '', ...rest] = path.split('/');
  if (rest.length === 0) return false;
  return first === 'init' ? !ready.inits.includes(path) : !ready.folders.includes(first);
}

function isIn(folder: string, key: string): boolean {
  return key.startsWith(`${folder}/`);
}
