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
import { orderedBundleView, publicOrderedBundleView } from '../../shared/views/bundleItems.views.js';

/** Bundles with their items: `docs/contract.md#bundle-items`. Every change returns the new list. */
export const bundleItemRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/contentbundle/:bundleId/items',
    status: 200,
    operationId: 'listBundleItems',
    summary: 'List the items of a bundle of the caller',
    description: 'In the order of the bundle.',
    params: bundleParams,
    response: orderedBundleResponse,
    handle: async ({ ctx, userId, params }) =>
      orderedBundleView(await ownOrderedBundle(ctx, userId, params.bundleId), ctx.config.service.urnNamespace),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/contentbundle/:bundleId/items',
    readsReplica: true,
    status: 200,
    operationId: 'listPublicBundleItems',
    summary: 'List the items of a bundle',
    description: 'In the order of the bundle; only public items.',
    params: bundleParams,
    response: publicOrderedBundleResponse,
    handle: async ({ ctx, params }) =>
      publicOrderedBundleView(await visibleOrderedBundle(ctx, params.bundleId), ctx.config.service.urnNamespace),
  }),
  defineRoute({
    method: 'post',
    path: '/api/contentbundle/:bundleId/items/insert',
    status: 200,
    operationId: 'insertBundleItems',
    summary: 'Insert items into a bundle',
    description:
      'Inserts them before the item at `index`; the number of items means “at the end”. A box item that is not in the bundle is published in it; one that is already in it is moved.',
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
    operationId: 'moveBundleItem',
    summary: 'Move an item of a bundle',
    description: 'Moves it before the item at `toIndex`. Both positions are counted before the move, from 0.',
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
    operationId: 'removeBundleItems',
    summary: 'Remove items from a bundle',
    description: 'Unpublishes them; present subscribers may play them until the end of their subscription.',
    params: bundleParams,
    body: removeBody,
    response: orderedBundleResponse,
    handle: async ({ ctx, userId, params, body }) =>
      orderedBundleView(await removeItems(ctx, userId, params.bundleId, body), ctx.config.service.urnNamespace),
  }),
];
