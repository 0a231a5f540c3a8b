import { contentFolder, generationFolder, processingFolder } from './layout.js';

/** Which files of a content anybody needs. */
export interface NeededFiles {
  readonly contentId: string;
  /** The generation that plays, with the folders of its chunks' attempts and its initialisation segments; null: none. */
  readonly ready: {
    readonly generation: number;
    readonly folders: readonly string[];
    readonly inits: readonly string[];
  } | null;
  /** The generation in the making, whose files are all needed; null: none. */
  readonly making: number | null;
}

/** Whether a stored file of a content is of no use to anybody. */
export function isStale(needed: NeededFiles, key: string): boolean {
  const { contentId, ready, making } = needed;
  if (!key.startsWith(`${contentFolder(contentId)}/`)) return false;
  if (
    making !== null &&
    (isIn(generationFolder(contentId, making), key) || isIn(processingFolder(contentId, making), key))
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
