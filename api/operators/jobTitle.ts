/**
 * What a job is called at the Bull Board: its name and what its payload says in few words, so that of a hundred
 * transcodes each can be told from the others. Ids are cut to their first eight characters.
 */
export function jobTitle({ name, data }: { readonly name?: unknown; readonly data?: unknown }): string {
  const members = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  const told = members.flatMap(([member, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const text = String(value).replace(/^([0-9a-f]{8})-[0-9a-f-]{27}$/i, '$1');
    return text.length > 40 ? [] : [`${member.replace(/Id$/, '')} ${text}`];
  });
  return told.length === 0 ? String(name) : `${String(name)} · ${told.join(', ')}`;
}
