import { ForbiddenError } from '../../../shared/platform/errors.js';
import { credentialsIn, readClientQuery, type ClientQuery } from './clientQuery.js';
import { reportedAddress, type HookEvent, type StreamingServer } from './hookEvent.js';
import { malformed, textOf } from './readHook.js';

/** Calls that need no decision. */
const undecidedCalls = new Set(['connect', 'disconnect', 'play_done', 'done', 'record_done', 'update_play']);

/**
 * nginx-rtmp: `on_publish`, `on_publish_done` and `on_update`, as forms. The server appends the client's query unchanged to its own
 * fields, so a field that appears twice was added by the client. The connection id is a counter that restarts with the server. A
 * reader that connects before the encoder gets its media from the first keyframe. For a second publisher of a path, nginx sends
 * `on_publish`, refuses it, and sends `on_publish_done` with its id, while the first one continues.
 */
export const nginxRtmp: StreamingServer = {
  name: 'nginx-rtmp',
  traits: { hasLastingIds: false, replacesPublisher: false, keepsNoPictures: true },
  readEvent(body) {
    const fields = readClientQuery(textOf(body));
    return fields === null ? { type: 'forged', reason: 'a field appears twice' } : eventOf(fields);
  },
  response: null,
  rejectedStatus: 403,
  respond(isAllowed) {
    if (!isAllowed) throw new ForbiddenError({ key: 'streaming.refused' });
  },
};

function eventOf(fields: ClientQuery): HookEvent {
  const call = fieldOf(fields, 'call');
  if (undecidedCalls.has(call)) return { type: 'other' };
  const streamPath = fieldOf(fields, 'name');
  const { userCode, livePassword, token } = credentialsIn(fields);
  if (call === 'play') return { type: 'play', streamPath, userCode, livePassword, token };
  const connection = { connectionId: fieldOf(fields, 'clientid'), app: fieldOf(fields, 'app'), streamPath };
  if (call === 'publish_done') return { type: 'end', ...connection };
  if (call !== 'publish' && call !== 'update_publish') throw malformed('unknown call');
  const type = call === 'publish' ? 'publish' : 'update';
  return { type, ...connection, userCode, livePassword, clientAddress: reportedAddress(fields.get('addr')) };
}

function fieldOf(fields: ClientQuery, name: string): string {
  const value = fields.get(name);
  if (!value) throw malformed(`${name} is missing`);
  return value;
}
