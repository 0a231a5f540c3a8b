import type { EventRegistry } from './webhook/eventRegistry.js';
import {
  boxItemData,
  licenseData,
  paymentData,
  quotaData,
  recordingData,
  streamData,
  subscriptionData,
  vodData,
} from './views/eventData.js';

/** Every type of event, and how a worker renders its data. Each is recorded in the domain that declares its subject. */
export const events: EventRegistry = {
  'upload.completed': boxItemData,
  'content.ready': boxItemData,
  'content.complete': boxItemData,
  'content.failed': boxItemData,
  'vod.published': vodData,
  'vod.withdrawn': vodData,
  'payment.fulfilled': paymentData,
  'payment.reversed': paymentData,
  'subscription.started': subscriptionData,
  'subscription.ended': subscriptionData,
  'live.started': streamData,
  'live.ended': streamData,
  'recording.ready': recordingData,
  'license.changed': licenseData,
  'quota.warning': quotaData,
  // Its own operation sends it.
  'webhook.test': async (_reader, subject) => subject,
};
