/* The characters of CEA-608 (tables 49, 50 and 5 to 10). */

/** Characters of the basic set that differ from ASCII. */
const basic: ReadonlyMap<number, string> = new Map([
  [0x27, '’'],
  [0x2a, 'á'],
  [0x5c, 'é'],
  [0x5e, 'í'],
  [0x5f, 'ó'],
  [0x60, 'ú'],
  [0x7b, 'ç'],
  [0x7c, '÷'],
  [0x7d, 'Ñ'],
  [0x7e, 'ñ'],
  [0x7f, '█'],
]);
/** The special characters, from code 0x30 on. */
const special = '®°½¿™¢£♪à èâêîôû';
/**
 * The extended characters, from code 0x20 on. Each replaces the preceding character, a substitute for decoders without this
 * set.
 */
const extended: ReadonlyMap<number, string> = new Map([
  [0x12, 'ÁÉÓÚÜü‘¡*’—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»'],
  [0x13, 'ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤¦ÅåØø┌┐└┘'],
]);

/** A character of the basic set; empty for a control code. */
export function basicCharacter(code: number): string {
  return code < 0x20 ? '' : (basic.get(code) ?? String.fromCharCode(code));
}

/** The character of a command, without the channel bit; null if the command is not a character. */
export function characterOfCommand(
  first: number,
  second: number,
): { readonly character: string; readonly replaces: boolean } | null {
  const own = first === 0x11 ? special[second - 0x30] : undefined;
  const replacing = extended.get(first)?.[second - 0x20];
  if (own !== undefined) return { character: own, replaces: false };
  return replacing === undefined ? null : { character: replacing, replaces: true };
}
