/**
 * Title of a job at the Bull Board: its name and the short members of its payload, so that jobs of one name differ.
 * Ids are cut to their first eight characters.
 */
export function jobTitle({ name, data }: { readonly name?: unknown; readonly data?: unknown }): string {
  const members = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  const parts = members.flatMap(([member, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const text = String(value).replace(/^([0-9a-f]{8})-[0-9a-f-]{27}$/i, '$1');
    return text.length > 40 ? [] : [`${member.replace(/Id$/, '')} ${text}`];
  });
  return parts.length === 0 ? String(name) : `${String(name)} · ${parts.join(', ')}`;
}
