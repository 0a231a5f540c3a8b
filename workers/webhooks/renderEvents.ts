import { events } from '../../shared/eventViews.js';
import { renderDueEvents } from '../../shared/webhook/eventRendering.service.js';
import type { RenderEventsPayload } from '../../shared/webhook/webhook.jobs.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** `webhook.render`: renders the recorded events of a user, and queues their deliveries. */
export function renderEventsHandler({ ctx, payload, signal }: JobRun<RenderEventsPayload>): Promise<unknown> {
  return renderDueEvents(ctx, events, payload.ownerId, signal);
}
