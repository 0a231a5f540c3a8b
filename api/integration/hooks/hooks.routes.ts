import Joi from 'joi';
import { TooLargeError } from '../../../shared/platform/errors.js';
import { defineRoute, type Route } from '../../http/route.js';
import { integrationParams, type IntegrationParams } from '../integration.schemas.js';
import { decideHook, isStreamPath } from './decideHook.js';
import type { HookQuery, HookRequest, StreamingServer } from './hookEvent.js';
import { mediamtx } from './mediamtx.js';
import { nginxRtmp } from './nginxRtmp.js';
import { nodeMediaServer } from './nodeMediaServer.js';
import { ovenMediaEngine } from './ovenMediaEngine.js';
import { srs } from './srs.js';

const servers: readonly StreamingServer[] = [nginxRtmp, mediamtx, srs, nodeMediaServer, ovenMediaEngine];

/** Hooks have a few hundred bytes, plus the client's query. */
const maxBody = 16 * 1024;

const text = () => Joi.string().max(256).allow('');
const hookQuery = Joi.object<HookQuery>({
  server: Joi.string()
    .pattern(/^[A-Za-z0-9_.-]{1,64}$/)
    .description('Distinguishes several servers of one kind: 1 to 64 characters of `A-Za-z0-9_.-`.'),
  event: text().description('MediaMTX: `unavailable` reports the end of a publication, without a body.'),
  id: text().description('MediaMTX: `MTX_SOURCE_ID`.'),
  path: text().description('MediaMTX: `MTX_PATH`.'),
});

/**
 * Hooks of external streaming servers, which ask before they accept an encoder's media, and report the end of a publication
 * (`docs/contract.md#integration`). Bodies contain passwords and are never logged.
 */
export const hookRoutes: readonly Route[] = servers.map((server) =>
  defineRoute<IntegrationParams, HookQuery, Buffer>({
    method: 'post',
    path: `/rest/:integration/hooks/${server.name}`,
    status: 200,
    operationId: `receive${pascalCase(server.name)}Hook`,
    summary: `Receive a hook of ${server.name}`,
    description: `The server sends it before it accepts the media of an encoder or sends them to a viewer, and when an encoder has disconnected. ${answersOf(server)}`,
    params: integrationParams,
    query: hookQuery,
    reads: 'raw',
    isLimited: true,
    ...(server.rejectedStatus === null ? {} : { errors: [server.rejectedStatus] }),
    response: server.response,
    handle: (request) => receive(server, request),
  }),
);

/** Describes the response that allows or refuses the media. */
function answersOf({ response, rejectedStatus, verify }: StreamingServer): string {
  const answer = response
    ? 'Allowed and refused: 200, with the decision in the body.'
    : `Allowed: 200, refused: ${rejectedStatus}.`;
  return verify ? `${answer} The request must be signed.` : answer;
}

/** `nginx-rtmp` as `NginxRtmp`. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

async function receive(server: StreamingServer, request: HookRequest): Promise<unknown> {
  const { ctx, log, body, query } = request;
  if (body.length > maxBody) throw new TooLargeError(maxBody);
  await server.verify?.(request);
  const event = server.readEvent(body, query);
  const decision = await decideHook(ctx, server, event, query.server ?? '');
  // Only valid stream paths are logged: other texts may be a password typed into the wrong field.
  const named = 'streamPath' in event && isStreamPath(event.streamPath) ? { streamPath: event.streamPath } : {};
  log.info({ server: server.name, event: event.type, ...named, ...decision }, 'streaming server hook received');
  return server.respond(decision.allowed, event);
}
