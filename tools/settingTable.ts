/** Settings that are explained together. */
interface SettingGroup {
  readonly title: string;
  readonly rows: readonly { readonly names: readonly string[]; readonly meaning: string }[];
}

/** The table of settings in the README: its groups, and the rows that name settings, with the meaning as plain text. */
export function settingGroups(readme: string): readonly SettingGroup[] {
  const groups: { title: string; rows: { names: string[]; meaning: string }[] }[] = [];
  for (const line of readme.split('\n')) {
    const [, first = '', , meaning = ''] = line.split('|').map((cell) => cell.trim());
    if (first.startsWith('**')) groups.push({ title: plain(first), rows: [] });
    else if (/^`[A-Z]/.test(first)) groups.at(-1)?.rows.push({ names: namesIn(first), meaning: plain(meaning) });
  }
  return groups;
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => name);
}

/** Without the signs of Markdown. */
function plain(cell: string): string {
  return cell.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`|\*\*/g, '');
}
