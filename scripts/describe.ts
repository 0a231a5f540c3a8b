import { writeFileSync } from 'node:fs';
import { openapi } from '../api/http/openapi.js';
import { openapiFile } from '../api/http/openapiDocument.js';
import { routeGroups } from '../api/routes.js';

/** Writes the description of all operations to `dist`. The build runs this. */
writeFileSync(openapiFile, `${JSON.stringify(openapi(routeGroups), null, 1)}\n`);
