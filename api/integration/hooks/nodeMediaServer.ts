import Joi from 'joi';
import { ForbiddenError } from '../../../shared/platform/errors.js';
import { reportedAddress, type StreamingServer } from './hookEvent.js';
import { readJsonHook } from './readHook.js';

interface Hook {
  readonly id: string;
  readonly ip?: string;
  readonly app: string;
  readonly name: string;
  readonly query: { readonly user: string; readonly pass: string; readonly token: string };
  readonly action: string;
}

/** A parameter that the client has sent twice is a list, which is invalid. */
const parameter = Joi.string().allow('').default('');
const hook = Joi.object<Hook>({
  id: Joi.string().required(),
  ip: Joi.string().allow(''),
  app: Joi.string().allow('').required(),
  name: Joi.string().required(),
  query: Joi.object({ user: parameter, pass: parameter, token: parameter })
    .empty(null)
    .default({ user: '', pass: '', token: '' }),
  action: Joi.string().required(),
});

/**
 * Node-Media-Server 4: JSON, sent as text. Some releases report `prePublish` as a second `postPublish`; both have the same
 * decision, and the second changes nothing. Any status except 200 closes the connection. If this service is unreachable, the
 * server accepts the encoder, but no run is offered.
 */
export const nodeMediaServer: StreamingServer = {
  name: 'node-media-server',
  traits: { hasLastingIds: true, replacesPublisher: false },
  readEvent(body) {
    const { id, ip, app, name, query, action } = readJsonHook(hook, body);
    const connection = { connectionId: id, app, streamPath: name };
    const credentials = { userCode: query.user, livePassword: query.pass };
    if (action === 'donePublish') return { type: 'end', ...connection };
    if (action === 'prePublish' || action === 'postPublish')
      return { type: 'publish', ...connection, ...credentials, clientAddress: reportedAddress(ip) };
    if (action === 'prePlay' || action === 'postPlay')
      return { type: 'play', streamPath: name, token: query.token, ...credentials };
    return { type: 'other' };
  },
  response: null,
  rejectedStatus: 403,
  respond(isAllowed) {
    if (!isAllowed) throw new ForbiddenError({ key: 'streaming.refused' });
  },
};
