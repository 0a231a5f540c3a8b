/*
 * A recently uploaded video plays in one quality while the others are encoded. The note about them depends on the server's
 * response: the path of the best playlist, and `preparing`, in percent, while more qualities are encoded.
 */

/** The file of a path, without grant and session: the same in all addresses of one playlist. */
const fileOf = (path) => path.split('?', 1)[0].replace(/^.*?\/[se]\/[^/]+\//, '');

/** `preparing`: more qualities are being encoded. `ready`: they are complete, but an older playlist is open. Else `none`. */
export function betterOf({ preparing, path }, openedPath) {
  if (preparing !== undefined) return 'preparing';
  return fileOf(path) === fileOf(openedPath) ? 'none' : 'ready';
}

/** The note in the menu of qualities; empty if there is none. */
export function noteOf(better, { preparing }, words, language) {
  if (better === 'none') return '';
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format((preparing ?? 0) / 100);
  return words[`better.${better}`].replace('{{percent}}', percent);
}
