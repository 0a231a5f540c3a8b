import Joi, { type ObjectSchema, type Schema, type SchemaMap } from 'joi';
import {
  defaultPageSize,
  maximumPageSize,
  unpagedLimit,
  type PageRequest,
} from '../../shared/platform/formats/page.js';
import { flag, integer, tags } from './fields.js';

/** Members of every search body, `docs/contract.md#search`, with the bounds of `docs/contract.md#choices-requests`. */
export interface SearchBody {
  readonly pageSize: number;
  readonly pageIndex: number;
  readonly pagination: boolean;
  readonly queryString?: string;
  readonly tags?: readonly string[];
}

const utmostPageIndex = 1_000_000;

/** How long a page is, and which one. */
const window: SchemaMap = {
  pageSize: integer()
    .min(1)
    .default(defaultPageSize)
    .custom((size: number) => Math.min(size, maximumPageSize)),
  pageIndex: integer().min(0).max(utmostPageIndex).default(0),
};

export type PageQuery = Pick<SearchBody, 'pageSize' | 'pageIndex'>;

/** A list without a search: where it begins and how long it is. */
export const pageQuery = Joi.object<PageQuery>(window);

/** A search body with the filters of one search beside the members of all. */
export function searchBody<Filters extends object>(filters: SchemaMap = {}): ObjectSchema<SearchBody & Filters> {
  return Joi.object({
    ...window,
    pagination: flag().default(true),
    queryString: Joi.string().trim().max(1000).empty(''),
    tags: tags(),
    ...filters,
  });
}

/** What a search body asks for, for `ctx.search.page`. */
export function pageRequestOf(body: SearchBody): PageRequest {
  return { pageSize: body.pageSize, pageIndex: body.pageIndex, pagination: body.pagination };
}

/** Page result of `docs/contract.md#fields-page`. */
export function pageResponse(item: Schema): ObjectSchema {
  return Joi.object({
    items: Joi.array().items(item).max(unpagedLimit).required(),
    pageSize: Joi.number().integer().required(),
    pageIndex: Joi.number().integer().required(),
    totalCount: Joi.number().integer().required(),
    pageCount: Joi.number().integer().required(),
  });
}
