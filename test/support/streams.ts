import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../shared/platform/context.js';
import { LiveStream, type StreamKind } from '../../shared/streaming/streaming.model.js';
import { basic, type TestApi } from './api.js';

/** The headers that a streaming server sends. */
export function integrationHeaders(api: TestApi): { readonly authorization: string } {
  const { user, password } = api.ctx.config.integration!;
  return { authorization: basic(api, user, password) };
}

/** Creates a stream with a unique path. Resolves with its id and path. */
export async function makeStream(
  ctx: Context,
  ownerId: string,
  { kind = 'LIVE_CHANNEL', path = `path${randomBytes(6).toString('hex')}` }: { kind?: StreamKind; path?: string } = {},
): Promise<{ readonly id: string; readonly path: string }> {
  const id = randomUUID();
  await ctx.db.model(LiveStream).create({ id, ownerId, kind, path, createdAt: ctx.clock.now() });
  return { id, path };
}
