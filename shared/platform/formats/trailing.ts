/**
 * The text without all repetitions of this character at its end. Linear time: a regular expression such as `/x+$/` is quadratic
 * for runs of the character in the middle of the text.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
