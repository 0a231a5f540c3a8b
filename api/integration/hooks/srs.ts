import Joi from 'joi';
import { credentialsIn, readClientQuery } from './clientQuery.js';
import { reportedAddress, type StreamingServer } from './hookEvent.js';
import { readJsonHook } from './readHook.js';

interface Hook {
  readonly action: string;
  /** A number in old releases. */
  readonly client_id: string | number;
  readonly server_id: string;
  /** Changes with each start of the server; only in newer releases. */
  readonly service_id: string;
  readonly ip?: string;
  readonly app: string;
  readonly stream: string;
  readonly param: string;
}

const optional = Joi.string().allow('').default('');
const hook = Joi.object<Hook>({
  action: Joi.string().required(),
  client_id: Joi.alternatives(Joi.string(), Joi.number()).required(),
  server_id: optional,
  service_id: optional,
  ip: Joi.string().allow(''),
  app: optional,
  stream: optional,
  param: optional,
});
const decided = new Set(['on_publish', 'on_unpublish', 'on_play']);

/**
 * SRS: JSON. The response has status 200 and a code; any code except 0 refuses. For a second publisher of a path, the server sends
 * the hook too, and then refuses it.
 */
export const srs: StreamingServer = {
  name: 'srs',
  traits: { hasLastingIds: true, replacesPublisher: false },
  readEvent(body) {
    const { action, client_id, server_id, service_id, ip, app, stream, param } = readJsonHook(hook, body);
    if (!decided.has(action)) return { type: 'other' };
    const connection = { connectionId: [server_id, service_id, client_id].join('/'), app, streamPath: stream };
    if (action === 'on_unpublish') return { type: 'end', ...connection };
    const query = readClientQuery(param);
    if (query === null) return { type: 'forged', reason: 'a parameter appears twice' };
    const { userCode, livePassword, token } = credentialsIn(query);
    return action === 'on_play'
      ? { type: 'play', streamPath: stream, userCode, livePassword, token }
      : { type: 'publish', ...connection, userCode, livePassword, clientAddress: reportedAddress(ip) };
  },
  response: Joi.object({ code: Joi.number().valid(0, 403).required().description('0: allowed; 403: refused.') }),
  rejectedStatus: null,
  respond: (isAllowed) => ({ code: isAllowed ? 0 : 403 }),
};
