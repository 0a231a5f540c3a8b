/**
 * The text without this character at its end, however often it is there. In linear time: an expression such as `/x+$/` begins
 * anew at each of the characters where they are followed by another one.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
