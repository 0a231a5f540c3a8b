import { ownBundle, visibleBundle } from '../../shared/bundle/bundle.queries.js';
import { searchListedBundles, searchOwnBundles, type BundleSearch } from '../../shared/bundle/bundleSearch.queries.js';
import {
  createBundle,
  deleteBundle,
  updateBundle,
  type BundleDescription,
} from '../../shared/bundle/bundle.service.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, pageRequestOf, type SearchRequest } from '../http/searchBody.js';
import {
  bundleResponse,
  bundleBody,
  bundleChangeBody,
  bundleParams,
  ownSearchBody,
  publicBundleResponse,
  publicBundleSearchBody,
  type BundleBody,
} from './contentbundle.schemas.js';
import { bundleView, publicBundleView } from '../../shared/views/bundle.views.js';

/** Bundles: `docs/contract.md#bundles`. Subscriptions are in `subscriptions.routes.ts`, items in `items.routes.ts`. */
export const contentBundleRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/contentbundle',
    status: 201,
    operationId: 'createBundle',
    summary: 'Create a bundle',
    description: 'The new bundle has no items. Needs the payment data of the seller.',
    body: bundleBody,
    errors: [409],
    response: bundleResponse,
    handle: async ({ ctx, userId, body }) => bundleView(await createBundle(ctx, userId, descriptionOf(body))),
  }),
  defineRoute({
    method: 'get',
    path: '/api/contentbundle/:bundleId',
    status: 200,
    operationId: 'getBundle',
    summary: 'Get a bundle of the caller',
    description: 'The owner’s view; `itemCount` counts all items.',
    params: bundleParams,
    response: bundleResponse,
    handle: async ({ ctx, userId, params }) => bundleView(await ownBundle(ctx, userId, params.bundleId)),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/contentbundle/:bundleId',
    readsReplica: true,
    status: 200,
    operationId: 'getPublicBundle',
    summary: 'Get a bundle',
    description: 'The public view, with the publisher; `itemCount` counts the items that can be played.',
    params: bundleParams,
    response: publicBundleResponse,
    handle: async ({ ctx, params }) => publicBundleView(await visibleBundle(ctx, params.bundleId)),
  }),
  defineRoute({
    method: 'post',
    path: '/api/contentbundle/:bundleId',
    status: 200,
    operationId: 'updateBundle',
    summary: 'Change a bundle',
    description:
      'Only members that are sent change. A body with name, price, duration and its unit replaces the complete bundle: description, thumbnail and tags that it leaves out are cleared. Running subscriptions keep their terms.',
    params: bundleParams,
    body: bundleChangeBody,
    errors: [409],
    response: bundleResponse,
    handle: async ({ ctx, userId, params, body: { price: priceCents, ...body } }) =>
      bundleView(await updateBundle(ctx, userId, params.bundleId, { ...body, priceCents })),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/contentbundle/:bundleId',
    status: 204,
    operationId: 'deleteBundle',
    summary: 'Delete a bundle',
    description: '409 while it has items or running subscriptions.',
    params: bundleParams,
    errors: [409],
    response: null,
    handle: ({ ctx, userId, params }) => deleteBundle(ctx, userId, params.bundleId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/contentbundles',
    status: 200,
    operationId: 'searchBundles',
    summary: 'Search the bundles of the caller',
    description: 'Searches name, description and tags. Order: relevance, then date of publication (newest first).',
    body: ownSearchBody,
    response: pageResponse(bundleResponse),
    async handle({ ctx, userId, body, signal, caller }) {
      const page = await searchOwnBundles(ctx, userId, searchOf({ body, signal, caller }));
      return { ...page, items: page.items.map(bundleView) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/contentbundles',
    readsReplica: true,
    status: 200,
    operationId: 'searchPublicBundles',
    summary: 'Search all bundles',
    description:
      'Searches name, description and tags, and the publisher unless `userCode` is given. Order: relevance, then date of publication (newest first).',
    body: publicBundleSearchBody,
    response: pageResponse(publicBundleResponse),
    async handle({ ctx, body, signal, caller }) {
      const page = await searchListedBundles(ctx, { ...searchOf({ body, signal, caller }), userCode: body.userCode });
      return { ...page, items: page.items.map(publicBundleView) };
    },
  }),
];

function descriptionOf({ price, ...body }: BundleBody): BundleDescription {
  return { ...body, priceCents: price };
}

function searchOf(request: SearchRequest): BundleSearch {
  const { body } = request;
  return { text: body.queryString, tags: body.tags ?? [], page: pageRequestOf(request) };
}
