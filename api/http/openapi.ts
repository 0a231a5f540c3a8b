import { errorComponents } from './openapiErrors.js';
import { pathTemplate, withSettings } from './openapiDocument.js';
import { openapiOperation } from './openapiOperation.js';
import { openapiWebhooks, type SentEvent } from './openapiWebhooks.js';
import type { NamedSchemas } from './openapiSchema.js';
import type { Route, RouteGroup } from './route.js';

type Json = Record<string, unknown>;

/** The pages' scripts and styles are not part of the interface, and their names change with their content. */
const pageFiles = /^\/(assets|docs)\//;

function isDescribed({ path }: Pick<Route, 'path'>): boolean {
  return !pageFiles.test(path);
}

/** Tag of the requests that the service sends. No route has it, because generators write one class for each tag. */
const eventTag = {
  name: 'Webhook events',
  description: 'Requests of the service to the addresses of webhooks, one for each type of event.',
};

/**
 * The OpenAPI 3.1 document of all routes and events, with the default settings. It takes most of a second, so `npm run build`
 * writes it (`scripts/describe.ts`).
 */
export function openapi(groups: readonly RouteGroup[], events: readonly SentEvent[]): Json {
  const schemas: NamedSchemas = {};
  const paths: Record<string, Json> = {};
  for (const { title, routes } of groups) {
    for (const route of routes.filter(isDescribed)) {
      const path = pathTemplate(route);
      paths[path] = { ...paths[path], [route.method]: openapiOperation(route, title, schemas) };
    }
  }
  const webhooks = openapiWebhooks(events, eventTag.name, schemas);
  const tags = [...groups.map(({ title, description }) => ({ name: title, description })), eventTag];
  const components = { schemas: { ...schemas, ...errorComponents.schemas }, responses: errorComponents.responses };
  return withSettings(
    { tags, paths, webhooks, components },
    { name: 'Service', publicUrl: 'https://video.example.org' },
  );
}
