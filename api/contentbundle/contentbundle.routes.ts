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
  bundleParams,
  ownSearchBody,
  publicBundleResponse,
  publicSearchBody,
  type BundleBody,
} from './contentbundle.schemas.js';
import { bundleView, publicBundleView } from './contentbundle.views.js';

/** Bundles: `docs/contract.md#bundles`. Subscriptions are in `subscriptions.routes.ts`, items in `items.routes.ts`. */
export const contentBundleRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/contentbundle',
    status: 201,
    summary: 'Creates an empty bundle',
    body: bundleBody,
    errors: [409],
    response: bundleResponse,
    handle: async ({ ctx, userId, body }) => bundleView(await createBundle(ctx, userId, descriptionOf(body))),
  }),
  defineRoute({
    method: 'get',
    path: '/api/contentbundle/:bundleId',
    status: 200,
    summary: 'A bundle of the caller',
    params: bundleParams,
    response: bundleResponse,
    handle: async ({ ctx, userId, params }) => bundleView(await ownBundle(ctx, userId, params.bundleId)),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/contentbundle/:bundleId',
    status: 200,
    summary: 'A bundle, for everybody; its item count is that of the items that can be played',
    params: bundleParams,
    response: publicBundleResponse,
    handle: async ({ ctx, params }) => publicBundleView(await visibleBundle(ctx, params.bundleId)),
  }),
  defineRoute({
    method: 'post',
    path: '/api/contentbundle/:bundleId',
    status: 200,
    summary: 'Replaces the description of a bundle; live subscriptions stay as they were agreed',
    params: bundleParams,
    body: bundleBody,
    errors: [409],
    response: bundleResponse,
    handle: async ({ ctx, userId, params, body }) =>
      bundleView(await updateBundle(ctx, userId, params.bundleId, descriptionOf(body))),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/contentbundle/:bundleId',
    status: 204,
    summary: 'Deletes a bundle; 409 while it has items or live subscriptions',
    params: bundleParams,
    errors: [409],
    response: null,
    handle: ({ ctx, userId, params }) => deleteBundle(ctx, userId, params.bundleId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/contentbundles',
    status: 200,
    summary: 'Searches the caller’s bundles',
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
    status: 200,
    summary: 'Searches all bundles',
    body: publicSearchBody,
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
