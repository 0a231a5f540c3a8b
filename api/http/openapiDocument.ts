import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../shared/platform/config.js';
import { headerParameters } from './openapiHeaders.js';
import type { Route } from './route.js';

type Json = Record<string, unknown>;

type Settings = Pick<Config['service'], 'name' | 'publicUrl'>;

/** The members of the document that depend on the routes. */
interface Described {
  readonly tags: readonly Json[];
  readonly paths: Json;
  readonly webhooks: Json;
  readonly components: Json;
}

/** The document that `npm run build` writes. Reading it takes milliseconds; describing the routes takes much longer. */
export const openapiFile = fileURLToPath(new URL('../openapi.json', import.meta.url));

/** The document of a deployment with these settings. */
export function openapiOf(settings: Settings): Json {
  return withSettings(JSON.parse(readFileSync(openapiFile, 'utf8')) as Described, settings);
}

/** The name of a route's path in the document: `/api/box/{boxId}`. */
export function pathTemplate({ path }: Pick<Route, 'path'>): string {
  return path.replace(/[:*]([A-Za-z]+)/g, '{$1}');
}

/** The document with the members that depend on settings. */
export function withSettings({ tags, paths, webhooks, components }: Described, { name, publicUrl }: Settings): Json {
  return {
    openapi: '3.1.0',
    info: info(publicUrl),
    servers: [{ url: publicUrl }],
    tags,
    paths,
    webhooks,
    components: { ...components, parameters: parameters(name), securitySchemes: securitySchemes(publicUrl) },
  };
}

function info(publicUrl: string): Json {
  return {
    title: 'Video platform',
    version: '1',
    summary: 'Upload, transcode, publish, find and play video.',
    description: [
      'Tokens are issued by `/oauth/token`. Paths under `/api/public/` accept any access token; other paths under `/api/` need ' +
        'a user’s access token, and work on the items of this user.',
      'Bodies are JSON in UTF-8. Unknown members of a body are ignored, and a null member counts as not sent, so that ' +
        'an object can be sent back as it was read. Empty members are left out of responses.',
      'Dates are `dd/MM/yyyy` and times `HH:mm:ss`, in the time zone of the request’s header. Prices have a ' +
        'decimal comma and two decimals.',
      'Errors have a stable name for programs (`exception`) and a message for people, in the language of the request.',
    ].join('\n\n'),
    contact: { name: 'The operator of this service', url: publicUrl },
    license: { name: 'All rights reserved', url: publicUrl },
  };
}

function parameters(serviceName: string): Json {
  const { TimeZone, ProgressId, ...others } = headerParameters;
  return {
    ...others,
    TimeZone: { ...TimeZone, name: `X-${serviceName}-timezone` },
    ProgressId: { ...ProgressId, name: `X-${serviceName}-progressbarId` },
  };
}

function securitySchemes(publicUrl: string): Json {
  const tokenUrl = `${publicUrl}/oauth/token`;
  const scopes = { all: 'Everything the token’s owner may do' };
  return {
    publicToken: {
      type: 'oauth2',
      description: 'For public paths.',
      flows: { clientCredentials: { tokenUrl, scopes } },
    },
    userToken: {
      type: 'oauth2',
      description: 'For public and private paths.',
      flows: { password: { tokenUrl, refreshUrl: tokenUrl, scopes } },
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description:
        'Credentials of a client or of the integration. A token request may send the client’s credentials in its form instead.',
    },
  };
}
