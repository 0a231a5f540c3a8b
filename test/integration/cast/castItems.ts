import type { Config } from '../../../shared/platform/config.js';
import { type TestUser, bodyOf } from '../../support/api.js';
import type { Studio } from '../live/studio.js';

/** A kind of item with a stream path, and the paths of its operations. */
export interface CastKind {
  readonly name: 'channel' | 'stream';
  readonly path: string;
  readonly idMember: 'channelId' | 'streamId';
  readonly search: string;
  /** Members of a new item that the service computes. */
  readonly computed: (id: string, config: Config) => object;
}

export const channelKind: CastKind = {
  name: 'channel',
  path: '/api/cast/channel',
  idMember: 'channelId',
  search: '/api/search/cast/channels',
  computed: (id, { service }) => ({ locked: false, embedUrl: `${service.publicUrl}/embed/?cast=${id}` }),
};
export const streamKind: CastKind = {
  name: 'stream',
  path: '/api/cast/stream',
  idMember: 'streamId',
  search: '/api/search/cast/streams',
  computed: () => ({}),
};
export const castKinds = [channelKind, streamKind];

/** Creates an item of a kind and resolves with its id. */
export async function castItem(studio: Studio, kind: CastKind, members: object = {}, by?: TestUser): Promise<string> {
  const response = await studio.post(kind.path, studio.aChannel(members), (by ?? studio.publisher).token);
  return bodyOf(201, response)[kind.idMember];
}
