const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const longestKey = 512;

/**
 * Lets a key pass only if it is a relative path of plain segments: no empty, absolute, hidden or climbing ones. So no
 * name that a client sends can leave the store, nor meet the folder of unfinished files.
 */
export function assertKey(key: string): string {
  if (key.length > longestKey || !key.split('/').every((part) => segment.test(part))) {
    throw new TypeError(`not a storage key: ${JSON.stringify(key.slice(0, longestKey))}`);
  }
  return key;
}

/** A prefix names a folder: `a/b` and `a/b/` are the same, and neither covers `a/bc`. Empty: the whole store. */
export function folderOf(prefix: string): string {
  const folder = prefix.replace(/\/$/, '');
  return folder === '' ? '' : `${assertKey(folder)}/`;
}
