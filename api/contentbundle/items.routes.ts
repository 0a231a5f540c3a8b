import { ownOrderedBundle, visibleOrderedBundle } from '../../shared/bundle/bundleItems.queries.js';
import { insertItems, moveItem, removeItems } from '../../shared/bundle/bundleItems.service.js';
import { defineRoute, type Route } from '../http/route.js';
import { bundleParams } from './contentbundle.schemas.js';
import {
  insertBody,
  moveBody,
  orderedBundleResponse,
  publicOrderedBundleResponse,
  removeBody,
} from './items.schemas.js';
import { orderedBundleView, publicOrderedBundleView } from './items.views.js';

/** Bundles with their items: `docs/contract.md#bundle-items`. Every change returns the new list. */
export const bundleItemRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/contentbundle/:bundleId/items',
    status: 200,
    summary: 'A bundle of the caller with its items in order',
    params: bundleParams,
    response: orderedBundleResponse,
    handle: async ({ ctx, userId, params }) =>
      orderedBundleView(await ownOrderedBundle(ctx, userId, params.bundleId), ctx.config.service.urnNamespace),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/contentbundle/:bundleId/items',
    status: 200,
    summary: 'A bundle with the items that everybody may see, in order',
    params: bundleParams,
    response: publicOrderedBundleResponse,
    handle: async ({ ctx, params }) =>
      publicOrderedBundleView(await visibleOrderedBundle(ctx, params.bundleId), ctx.config.service.urnNamespace),
  }),
  defineRoute({
    method: 'post',
    path: '/api/contentbundle/:bundleId/items/insert',
    status: 200,
    summary: 'Puts box items before the item at `index`; those that are not in the bundle yet are published in it',
    params: bundleParams,
    body: insertBody,
    errors: [409],
    response: orderedBundleResponse,
    handle: async ({ ctx, userId, params, body }) =>
      orderedBundleView(
        await insertItems(ctx, userId, params.bundleId, {
          index: body.index,
          boxIds: body.sourceItems.map(({ boxId }) => boxId),
        }),
        ctx.config.service.urnNamespace,
      ),
  }),
  defineRoute({
    method: 'post',
    path: '/api/contentbundle/:bundleId/items/move',
    status: 200,
    summary: 'Puts the item at `fromIndex` before the item at `toIndex`, both counted before the move',
    params: bundleParams,
    body: moveBody,
    response: orderedBundleResponse,
    handle: async ({ ctx, userId, params, body }) =>
      orderedBundleView(await moveItem(ctx, userId, params.bundleId, body), ctx.config.service.urnNamespace),
  }),
  defineRoute({
    method: 'post',
    path: '/api/contentbundle/:bundleId/items/remove',
    status: 200,
    summary: 'Takes items out of the bundle, which unpublishes them',
    params: bundleParams,
    body: removeBody,
    response: orderedBundleResponse,
    handle: async ({ ctx, userId, params, body }) =>
      orderedBundleView(await removeItems(ctx, userId, params.bundleId, body), ctx.config.service.urnNamespace),
  }),
];
