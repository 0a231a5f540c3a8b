/** The words of a setting that is a list with commas; blank ones are none. */
export function commaSeparated(setting: unknown): string[] {
  return String(setting)
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
