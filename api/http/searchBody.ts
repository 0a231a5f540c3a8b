import Joi, { type ObjectSchema, type Schema, type SchemaMap } from 'joi';
import { defaultPageSize, maxPageSize, unpagedLimit, type PageRequest } from '../../shared/platform/formats/page.js';
import { documented } from './documented.js';
import { flag, integer, namedAfter, optionalText, tags } from './fields.js';
import type { RequestOf } from './route.js';

/** Members of every search body, `docs/contract.md#search`, with the bounds of `docs/contract.md#choices-requests`. */
export interface SearchBody {
  readonly pageSize: number;
  readonly pageIndex: number;
  readonly pagination: boolean;
  readonly queryString?: string;
  readonly tags?: readonly string[];
}

const maxPageIndex = 1_000_000;

/** Size and index of the page. */
const window: SchemaMap = {
  pageSize: integer()
    .min(1)
    .default(defaultPageSize)
    .custom((size: number) => Math.min(size, maxPageSize)),
  pageIndex: integer()
    .min(0)
    .max(maxPageIndex)
    .default(0)
    .meta(documented({ default: 0 })),
};

/** A filter of public searches: `docs/contract.md#search`. */
export const userCodeFilter = optionalText(50).description('Only items of this user, case-insensitive.');

export type PageQuery = Pick<SearchBody, 'pageSize' | 'pageIndex'>;

/** The query parameters of a list that is not a search. */
export const pageQuery = Joi.object<PageQuery>(window);

/** The body of a search: the members common to all searches, and its own filters. */
export function searchBody<Filters extends object>(filters: SchemaMap = {}): ObjectSchema<SearchBody & Filters> {
  return Joi.object({
    ...window,
    pagination: flag().default(true),
    queryString: Joi.string().trim().max(1000).empty(''),
    tags: tags().description('Items must have all of these tags.'),
    ...filters,
  });
}

/** A search request: its body and its caller. */
export interface SearchRequest<Body extends SearchBody = SearchBody> extends Pick<
  RequestOf<unknown, unknown, Body>,
  'body' | 'signal' | 'caller'
> {}

/** The requested page, for `ctx.search.page`. */
export function pageRequestOf({ body, signal, caller }: SearchRequest): PageRequest {
  return { pageSize: body.pageSize, pageIndex: body.pageIndex, pagination: body.pagination, signal, caller };
}

/** The members common to all searches, for their services. */
export function searchOf(request: SearchRequest) {
  const { queryString: text, tags: sent = [] } = request.body;
  return { text, tags: sent, page: pageRequestOf(request) };
}

/** Schema of a page of items: `docs/contract.md#fields-page`. */
export function pageResponse(item: Schema): ObjectSchema {
  return Joi.object({
    items: Joi.array().items(item).max(unpagedLimit).required(),
    pageSize: Joi.number()
      .integer()
      .required()
      .description('The page size in use; with `pagination: false` the number of items.'),
    pageIndex: Joi.number().integer().required(),
    totalCount: Joi.number()
      .integer()
      .required()
      .description(
        'Number of all results. Searches with PostgreSQL count up to 10,000: that number means 10,000 or more.',
      ),
    pageCount: Joi.number().integer().required(),
  }).meta(namedAfter(item, 'Page'));
}
