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

/**
 * All types of events, and the function with which a worker renders the data of each. The domain that declares a subject records
 * the event.
 */
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
  // Recorded by the operation that tests a webhook.
  'webhook.test': async (_reader, subject) => subject,
};
