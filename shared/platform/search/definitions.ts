import { createHash } from 'node:crypto';
import type { IndexDefinition, SearchQuery } from './search.js';

/** Raised when what engines store for a document changes: every index is then built anew. */
const layout = 2;

/** Members of a definition name tables and indexes of the engines. */
const indexName = /^[a-z][a-zA-Z0-9]{0,30}$/;
const maximumGroups = 9;

/** Refuses definitions that an engine could not hold; an error here is a fault of ours, at the start. */
export function checkDefinitions(indexes: readonly IndexDefinition[]): void {
  const names = new Set<string>();
  for (const index of indexes) {
    if (!indexName.test(index.name) || names.has(index.name))
      throw new Error(`bad or doubled index name: ${index.name}`);
    names.add(index.name);
    if (Object.keys(index.groups).length > maximumGroups) throw new Error(`index ${index.name} has too many groups`);
  }
}

/** Refuses a query that names what the definition does not. */
export function checkQuery(index: IndexDefinition, query: SearchQuery): void {
  for (const name of query.groups) if (!index.groups[name]) throw new Error(`index ${index.name} has no group ${name}`);
  for (const name of Object.keys(query.filters)) {
    if (!index.filters.includes(name)) throw new Error(`index ${index.name} has no filter ${name}`);
  }
  for (const key of query.sort) {
    if (!index.sorts.includes(sortMember(key))) throw new Error(`index ${index.name} has no sort ${key}`);
  }
}

/** The member of a sort key: `-createdAt` sorts down by `createdAt`. */
export function sortMember(key: string): string {
  return key.replace(/^-/, '');
}

/** Every searched field once, groups and fields in the order of the definition. */
export function searchedFields(index: IndexDefinition): string[] {
  return [...new Set(Object.values(index.groups).flatMap(({ fields }) => fields))];
}

/** What an engine's stored documents depend on; where it differs from the recorded one, the index is built anew. */
export function signatureOf(index: IndexDefinition): string {
  const { groups, filters, sorts } = index;
  const parts = JSON.stringify([
    layout,
    Object.entries(groups).map(([name, { fields }]) => [name, fields]),
    filters,
    sorts,
  ]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 16);
}
