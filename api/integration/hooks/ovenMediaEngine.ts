import { createHmac } from 'node:crypto';
import Joi from 'joi';
import { limitCalls } from '../../../shared/platform/throttle/throttle.js';
import { addressSubject } from '../../../shared/platform/throttle/subject.js';
import { withoutTrailing } from '../../../shared/platform/formats/trailing.js';
import { sameSecret } from '../../../shared/platform/security/passwords.js';
import { UnauthorizedError } from '../../http/httpErrors.js';
import { credentialsIn, readClientQuery } from './clientQuery.js';
import { reportedAddress, type HookEvent, type HookRequest, type StreamingServer } from './hookEvent.js';
import { readJsonHook } from './readHook.js';

interface Hook {
  readonly client: { readonly address: string; readonly port: number; readonly real_ip?: string };
  readonly request: {
    readonly direction: 'incoming' | 'outgoing';
    readonly status: 'opening' | 'closing';
    readonly url: string;
    readonly time: string;
  };
}

const hook = Joi.object<Hook>({
  client: Joi.object({
    address: Joi.string().required(),
    port: Joi.number().port().required(),
    real_ip: Joi.string().allow(''),
  }).required(),
  request: Joi.object({
    direction: Joi.valid('incoming', 'outgoing').required(),
    status: Joi.valid('opening', 'closing').required(),
    url: Joi.string().required(),
    time: Joi.string().required(),
  }).required(),
});

/** Maximum difference between a signed hook's time and now. Older hooks may be replayed, or a clock is wrong. */
const validMs = 5 * 60_000;

/**
 * OvenMediaEngine: AdmissionWebhooks. It sends no credentials, but signs its requests: `X-OME-Signature` is the HMAC-SHA1 of the
 * body with `OVENMEDIAENGINE_SECRET`. Connections have no id, so the client's address and port replace it. Every decision has
 * status 200.
 */
export const ovenMediaEngine: StreamingServer = {
  name: 'ovenmediaengine',
  traits: { hasLastingIds: false, replacesPublisher: false },
  async verify(request) {
    if (isSigned(request)) return;
    const { ctx, remoteAddress } = request;
    await limitCalls(ctx, [addressSubject('hook', remoteAddress)]);
    throw new UnauthorizedError('integration');
  },
  readEvent: (body) => eventOf(readJsonHook(hook, body)),
  response: Joi.object({
    allowed: Joi.boolean().description('Whether the server accepts or sends the media.'),
    reason: Joi.string().description('Reason of a refusal.'),
  }),
  rejectedStatus: 401,
  respond(isAllowed, event) {
    if (event.type === 'end' || event.type === 'other') return {};
    return isAllowed ? { allowed: true } : { allowed: false, reason: 'not allowed' };
  },
};

/** Without the setting no signature is valid. */
function isSigned({ ctx, headers, body }: HookRequest): boolean {
  const secret = ctx.config.live.ovenMediaEngineSecret;
  const sent = headers['x-ome-signature'];
  if (secret === null || typeof sent !== 'string') return false;
  const signature = createHmac('sha1', secret).update(body).digest('base64url');
  // With or without padding.
  if (!sameSecret(withoutTrailing(sent, '='), signature)) return false;
  const { request } = readJsonHook(hook, body);
  return Math.abs(ctx.clock.now().getTime() - Date.parse(request.time)) <= validMs;
}

/** `rtmp://host:1935/app/stream?user=alice&pass=secret` */
const urlPattern = /^[a-z]+:\/\/[^/?#]*\/([^/?#]*)\/([^/?#]*)[^?#]*(?:\?([^#]*))?/i;

function eventOf({ client, request }: Hook): HookEvent {
  const [, app = '', streamPath = '', query = ''] = urlPattern.exec(request.url) ?? [];
  const connection = { connectionId: `${client.address}:${client.port}`, app, streamPath };
  if (request.status === 'closing')
    return request.direction === 'incoming' ? { type: 'end', ...connection } : { type: 'other' };
  const parameters = readClientQuery(query);
  if (parameters === null) return { type: 'forged', reason: 'a parameter appears twice' };
  const { token, ...credentials } = credentialsIn(parameters);
  if (request.direction === 'outgoing') return { type: 'play', streamPath, token, ...credentials };
  const clientAddress = reportedAddress(client.real_ip) ?? reportedAddress(client.address);
  return { type: 'publish', ...connection, ...credentials, clientAddress };
}
