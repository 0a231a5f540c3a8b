import Joi from 'joi';
import { UnauthorizedError } from '../../http/httpErrors.js';
import { credentialsIn, readClientQuery } from './clientQuery.js';
import { reportedAddress, type HookConnection, type HookEvent, type StreamingServer } from './hookEvent.js';
import { readJsonHook } from './readHook.js';

interface Hook {
  readonly ip?: string;
  readonly user: string;
  readonly password: string;
  readonly action: string;
  readonly path: string;
  readonly id: string;
  readonly query: string;
}

const optional = Joi.string().allow('').empty(null).default('');
const hook = Joi.object<Hook>({
  ip: Joi.string().allow(''),
  user: optional,
  password: optional,
  action: Joi.string().required(),
  path: optional,
  id: optional,
  query: optional,
});

/**
 * MediaMTX, for RTMP, SRT, WHIP and RTSP. It calls `authHTTPAddress` with JSON, first without credentials; after a 401 it requests
 * them from the client. `runOnUnavailable` reports the end with a command, whose URL has `event=unavailable`, `id` and
 * `path`. A second publisher of a path replaces the first if it is allowed (`overridePublisher`).
 */
export const mediamtx: StreamingServer = {
  name: 'mediamtx',
  traits: { hasLastingIds: true, replacesPublisher: true },
  readEvent(body, { event, id = '', path = '' }) {
    if (event === undefined) return accessEvent(readJsonHook(hook, body));
    if (event !== 'unavailable') return { type: 'other' };
    return { type: 'end', ...connectionOf(path, id) };
  },
  response: null,
  rejectedStatus: 401,
  respond(isAllowed) {
    if (!isAllowed) throw new UnauthorizedError('stream');
  },
};

/** All actions except publishing, such as reading and the server's own API, need a viewer's permission. */
function accessEvent({ ip, user, password, action, path, id, query }: Hook): HookEvent {
  const parameters = readClientQuery(query);
  if (parameters === null) return { type: 'forged', reason: 'a parameter appears twice' };
  const connection = connectionOf(path, id);
  const credentials = { userCode: user, livePassword: password };
  if (action === 'publish')
    return { type: 'publish', ...connection, ...credentials, clientAddress: reportedAddress(ip) };
  return { type: 'play', streamPath: connection.streamPath, token: credentialsIn(parameters).token, ...credentials };
}

/** A path is `<app>/<stream path>`, or the stream path alone. */
function connectionOf(path: string, connectionId: string): HookConnection {
  const slash = path.lastIndexOf('/');
  return { connectionId, app: path.slice(0, Math.max(0, slash)), streamPath: path.slice(slash + 1) };
}
