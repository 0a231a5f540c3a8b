/*
 * A video that was uploaded a short time ago plays in one quality while the others are made. What of them the viewer sees, from
 * what the server has sent: the path of the best playlist that there is, and `preparing`, in percent, while more are made.
 */

/** The file that a path opens, without the grant and the session: the same in all addresses of one playlist. */
const fileOf = (path) => path.split('?', 1)[0].replace(/^.*?\/[se]\/[^/]+\//, '');

/** `preparing`: more qualities are being made. `ready`: they are there, and another playlist is open. Else `none`. */
export function betterOf({ preparing, path }, openedPath) {
  if (preparing !== undefined) return 'preparing';
  return fileOf(path) === fileOf(openedPath) ? 'none' : 'ready';
}

/** The note in the menu of qualities; empty: none. */
export function noteOf(better, { preparing }, words, language) {
  if (better === 'none') return '';
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format((preparing ?? 0) / 100);
  return words[`better.${better}`].replace('{{percent}}', percent);
}
