import type { ObjectSchema } from 'joi';
import { openapiSchema, type NamedSchemas } from './openapiSchema.js';
import { jsonType } from './sendJson.js';

type Json = Record<string, unknown>;

/** An event that the service sends to webhooks. */
export interface SentEvent {
  readonly type: string;
  readonly summary: string;
  /** Schema of the body. */
  readonly schema: ObjectSchema;
}

const header = (name: string, description: string): Json => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
});

/** The headers of Standard Webhooks. */
const headers: readonly Json[] = [
  header('webhook-id', 'Id of the event: the same at each attempt.'),
  header('webhook-timestamp', 'Time of the attempt, in seconds since 1970.'),
  header('webhook-signature', 'One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces.'),
];

const responses: Json = {
  '2XX': { description: 'Received.' },
  410: { description: 'The receiver no longer exists: the webhook is switched off.' },
  default: { description: 'Not received: the event is sent again.' },
};

/** The member `webhooks` of the document: one request for each type of event. */
export function openapiWebhooks(events: readonly SentEvent[], tag: string, schemas: NamedSchemas): Json {
  return Object.fromEntries(
    events.map(({ type, summary, schema }) => {
      const content = { [jsonType]: { schema: openapiSchema(schema, schemas) } };
      const operation = {
        operationId: `receive_${type.replace('.', '_')}`,
        ...{ summary: type, description: summary, tags: [tag], security: [], parameters: headers },
        ...{ requestBody: { required: true, content }, responses },
        // openapi-generator skips operations with this extension. Its code for webhooks does not compile.
        'x-internal': true,
      };
      return [type, { post: operation }];
    }),
  );
}
