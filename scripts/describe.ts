import { writeFileSync } from 'node:fs';
import { openapi } from '../api/http/openapi.js';
import { openapiFile } from '../api/http/openapiDocument.js';
import { routeGroups } from '../api/routes.js';
import { sentEvents } from '../api/webhook/events.schemas.js';

/** Writes the description of all operations to `dist`. The build runs this. */
writeFileSync(openapiFile, `${JSON.stringify(openapi(routeGroups, sentEvents), null, 1)}\n`);
