import { languages } from '../../shared/platform/i18n.js';
import type { Route } from './route.js';

type Json = Record<string, unknown>;

/** The headers of requests. Two names depend on the setting `SERVICE_NAME`; these are the names with its default. */
export const headerParameters = {
  Language: {
    name: 'Accept-Language',
    in: 'header',
    description: 'Language of messages.',
    schema: { type: 'string', examples: [...languages] },
  },
  TimeZone: {
    name: 'X-Service-timezone',
    in: 'header',
    description: 'Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name.',
    schema: { type: 'string', examples: ['3600000', 'Europe/Rome'] },
  },
  ProgressId: {
    name: 'X-Service-progressbarId',
    in: 'header',
    description: 'An id, chosen by the client, with which the progress of the upload can be read while it runs.',
    schema: { type: 'string', maxLength: 128, examples: ['c1f9a52e'] },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the day as it was read. If the day has changed since, the response is 412.',
    schema: { type: 'string' },
  },
} satisfies Record<string, Json>;

type HeaderParameter = keyof typeof headerParameters;

/** The headers that a route reads: references to shared ones, and its own. */
export function headersOf({ path, hasProgress, response, errors, headers }: Route): Json[] {
  const isConditional = response !== null && errors?.includes(412);
  const read: readonly (readonly [isRead: boolean, header: HeaderParameter])[] = [
    [path.startsWith('/api/'), 'Language'],
    [path.startsWith('/api/'), 'TimeZone'],
    [hasProgress === true, 'ProgressId'],
    [isConditional === true, 'IfMatch'],
  ];
  const shared = read.flatMap(([isRead, header]) => (isRead ? { $ref: `#/components/parameters/${header}` } : []));
  const own = Object.entries(headers?.request ?? {}).map(([name, description]) => ({
    ...{ name, in: 'header', description },
    schema: { type: 'string' },
  }));
  return [...shared, ...own];
}
