import type { FederatedMultiSearchParams, MultiSearchFederation, MultiSearchQueryWithFederation } from 'meilisearch';
import { pageWindow } from '../../formats/page.js';
import { sortMember } from '../indexDefinition.js';
import type { Condition, SearchIndex, SearchQuery } from '../search.js';
import type { QueryText } from '../tokenizer.js';
import { filterMember, meilisearchFilterValue, sortMemberName, textMember } from './documents.js';

/**
 * One federated search in one index: a query for each group, on its fields, with its weight. The server merges the hits by
 * weighted score and counts a document found by two queries once. `page` and `hitsPerPage` make the total exact; the server
 * accepts them although the client's types lack them.
 */
export function federatedSearch(
  uid: string,
  index: SearchIndex,
  query: SearchQuery,
  text: QueryText | null,
): FederatedMultiSearchParams {
  const { offset, limit } = pageWindow(query.page);
  const federation = { page: Math.floor(offset / limit) + 1, hitsPerPage: limit } as MultiSearchFederation;
  const filter = filterExpressions(query.filters);
  const common = {
    indexUid: uid,
    attributesToRetrieve: ['id'],
    sort: [
      ...query.sort.map((key) => `${sortMemberName(sortMember(key))}:${key.startsWith('-') ? 'desc' : 'asc'}`),
      'id:asc',
    ],
    ...(filter.length > 0 ? { filter } : {}),
  };
  if (!text) return { federation, queries: [common] };
  const queries = query.groups.map((name): MultiSearchQueryWithFederation => {
    const { fields = [], weight = 0 } = index.groups[name] ?? {};
    return {
      ...common,
      q: searchText(text),
      matchingStrategy: 'last',
      attributesToSearchOn: fields.map(textMember),
      federationOptions: { weight },
    };
  });
  return { federation, queries };
}

/** Meilisearch treats the last word as a prefix unless a separator follows; here, only a `*` marks a prefix. */
function searchText({ words, prefix }: QueryText): string {
  return `${words.join(' ')}${prefix ? '' : ' '}`;
}

/** Filter expressions; the server combines them with AND. */
export function filterExpressions(filters: Readonly<Record<string, Condition | undefined>>): string[] {
  return Object.entries(filters).flatMap(([name, condition]) =>
    condition ? expressions(filterMember(name), condition) : [],
  );
}

function expressions(member: string, condition: Condition): string[] {
  if ('equal' in condition) return [`${member} = ${literal(condition.equal)}`];
  if ('all' in condition) return condition.all.map((value) => `${member} = ${literal(value)}`);
  if ('in' in condition) return [`${member} IN [${condition.in.map(literal).join(', ')}]`];
  if ('notIn' in condition)
    return condition.notIn.length === 0 ? [] : [`${member} NOT IN [${condition.notIn.map(literal).join(', ')}]`];
  const bound = (operator: string, limit: number | undefined) =>
    limit === undefined ? [] : [`${member} ${operator} ${limit}`];
  return [...bound('>=', condition.atLeast), ...bound('<=', condition.atMost)];
}

/** `filterValue` encodes every character that could end the quoted string. */
function literal(value: string | number | boolean): string {
  const stored = meilisearchFilterValue(value);
  return typeof stored === 'string' ? `"${stored}"` : String(stored);
}
