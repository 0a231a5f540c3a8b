import {
  deliveryView,
  deliveryWithPayloadView,
  newWebhookView,
  webhookView,
} from '../../shared/views/webhook.views.js';
import { deliveriesOf, deliveryOf } from '../../shared/webhook/delivery.queries.js';
import {
  createWebhook,
  deleteWebhook,
  ownWebhook,
  ownWebhooks,
  resendDelivery,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from '../../shared/webhook/webhook.service.js';
import { assertOutgoing } from '../http/outgoingAddress.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageQuery, pageResponse } from '../http/searchBody.js';
import {
  deliveryParams,
  deliveryResponse,
  deliveryWithPayloadResponse,
  newWebhookResponse,
  webhookBody,
  webhookParams,
  webhookResponse,
  webhookUpdateBody,
} from './webhook.schemas.js';

/** URLs to which events are sent: `docs/contract.md#webhooks`. */
export const webhookRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/webhook',
    status: 201,
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: 'The response contains the secret, which is otherwise only in the response of a rotation.',
    body: webhookBody,
    errors: [409],
    response: newWebhookResponse,
    async handle({ ctx, userId, body, zone }) {
      assertOutgoing(ctx.config, body.url);
      return newWebhookView(await createWebhook(ctx, userId, body), zone);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/webhook',
    status: 200,
    operationId: 'listWebhooks',
    summary: 'List the webhooks of the caller',
    description: 'The oldest first.',
    query: pageQuery,
    response: pageResponse(webhookResponse),
    async handle({ ctx, userId, query, zone }) {
      const page = await ownWebhooks(ctx, userId, query);
      return { ...page, items: page.items.map((webhook) => webhookView(webhook, zone)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/webhook/:webhookId',
    status: 200,
    operationId: 'getWebhook',
    summary: 'Get a webhook of the caller',
    description: 'Without its secret.',
    params: webhookParams,
    response: webhookResponse,
    handle: async ({ ctx, userId, params, zone }) => webhookView(await ownWebhook(ctx, userId, params.webhookId), zone),
  }),
  defineRoute({
    method: 'post',
    path: '/api/webhook/:webhookId',
    status: 200,
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description: 'Members that are left out are unchanged.',
    params: webhookParams,
    body: webhookUpdateBody,
    response: webhookResponse,
    async handle({ ctx, userId, params, body, zone }) {
      if (body.url !== undefined) assertOutgoing(ctx.config, body.url);
      return webhookView(await updateWebhook(ctx, userId, params.webhookId, body), zone);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/webhook/:webhookId',
    status: 204,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Also deletes its deliveries.',
    params: webhookParams,
    response: null,
    handle: ({ ctx, userId, params }) => deleteWebhook(ctx, userId, params.webhookId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/webhook/:webhookId/rotate',
    status: 200,
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    description: 'For a day, requests have signatures with both secrets.',
    params: webhookParams,
    response: newWebhookResponse,
    handle: async ({ ctx, userId, params, zone }) =>
      newWebhookView(await rotateSecret(ctx, userId, params.webhookId), zone),
  }),
  defineRoute({
    method: 'post',
    path: '/api/webhook/:webhookId/test',
    status: 202,
    operationId: 'testWebhook',
    summary: 'Send a test event to a webhook',
    description: 'The deliveries show its outcome. 409 if the webhook is switched off.',
    params: webhookParams,
    isLimited: true,
    errors: [409],
    response: deliveryResponse,
    handle: async ({ ctx, userId, params, zone }) =>
      deliveryView(await testWebhook(ctx, userId, params.webhookId), zone),
  }),
  defineRoute({
    method: 'get',
    path: '/api/webhook/:webhookId/deliveries',
    status: 200,
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    description: 'The newest first. Deliveries are stored for 30 days.',
    params: webhookParams,
    query: pageQuery,
    response: pageResponse(deliveryResponse),
    async handle({ ctx, userId, params, query, zone }) {
      const { id } = await ownWebhook(ctx, userId, params.webhookId);
      const page = await deliveriesOf(ctx, id, query);
      return { ...page, items: page.items.map((delivery) => deliveryView(delivery, zone)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/webhook/:webhookId/deliveries/:deliveryId',
    status: 200,
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery of a webhook',
    description: 'Contains the body of the request.',
    params: deliveryParams,
    response: deliveryWithPayloadResponse,
    async handle({ ctx, userId, params, zone }) {
      const { id } = await ownWebhook(ctx, userId, params.webhookId);
      return deliveryWithPayloadView(await deliveryOf(ctx, id, params.deliveryId), zone);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/webhook/:webhookId/deliveries/:deliveryId/resend',
    status: 202,
    operationId: 'resendWebhookDelivery',
    summary: 'Send an event to a webhook again',
    description: 'With the same id, whatever the outcome of the delivery. 409 if the webhook is switched off.',
    params: deliveryParams,
    isLimited: true,
    errors: [409],
    response: deliveryResponse,
    handle: async ({ ctx, userId, params, zone }) =>
      deliveryView(await resendDelivery(ctx, userId, params.webhookId, params.deliveryId), zone),
  }),
];
