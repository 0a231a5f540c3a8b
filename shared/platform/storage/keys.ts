const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const maxKey = 512;

/**
 * Returns the key if it is a relative path of plain segments (none empty, none beginning with a dot). Throws a TypeError for any
 * other key, so that client input cannot address anything outside the store, or unfinished files.
 */
export function assertKey(key: string): string {
  if (key.length > maxKey || !key.split('/').every((part) => segment.test(part))) {
    throw new TypeError(`invalid storage key: ${JSON.stringify(key.slice(0, maxKey))}`);
  }
  return key;
}

/** The folder that a prefix names: `a/b` and `a/b/` are the same, and `a/bc` is outside. Empty: the complete store. */
export function folderOf(prefix: string): string {
  const folder = prefix.replace(/\/$/, '');
  return folder === '' ? '' : `${assertKey(folder)}/`;
}
