import { randomBytes } from 'node:crypto';
import {
  publicToken,
  registerUser,
  type TestApi,
  type TestResponse,
  type TestUser,
  bodyOf,
  registerSeller,
} from '../../support/api.js';
import type { TestContext } from '../../support/context.js';
import { drainSearch, makeThumbnail } from '../../support/rows.js';
import { inMinutes } from '../../support/liveStreams.js';
import { sharedService, type SharedService } from '../../support/fixtures.js';
import { setLivePassword } from '../../support/users.js';

/** Members of a request body. */
type Members = object;

/** The shared service with a publisher who may sell and has a live password, a viewer, and a public token. */
export interface Studio {
  readonly ctx: TestContext;
  readonly api: TestApi;
  readonly publisher: TestUser;
  readonly viewer: TestUser;
  readonly anybody: string;
  newPublisher(overrides?: Record<string, unknown>): Promise<TestUser>;
  /** The body of a channel with a unique stream path. */
  aChannel(members?: Members): Record<string, unknown>;
  /** The body of a free event from `start` to `end` minutes after now. */
  anEvent(start: number, end: number, members?: Members): Record<string, unknown>;
  createChannel(body: Members, by?: TestUser): Promise<TestResponse>;
  createEvent(channelId: string, body: Members, by?: TestUser): Promise<TestResponse>;
  /** Creates a channel and resolves with its id. */
  channel(members?: Members, by?: TestUser): Promise<string>;
  /** Creates an event and resolves with the owner's view. Without `channelId`, it is on a new channel. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies freely
  event(start: number, end: number, members?: Members, channelId?: string, by?: TestUser): Promise<any>;
  /** Inserts a thumbnail and resolves with its id. */
  thumbnail(by?: TestUser): Promise<string>;
  get(path: string, token?: string, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
  post(path: string, body: unknown, token?: string, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
  remove(path: string, token?: string): Promise<TestResponse>;
  drained(): Promise<void>;
  close(): Promise<void>;
}

/** The publisher sends all requests without another token. Without `service`, the shared service is used. */
export async function openStudio(service?: SharedService): Promise<Studio> {
  const { ctx, api } = service ?? (await sharedService());
  const newPublisher: Studio['newPublisher'] = async (overrides = {}) => {
    const user = await registerSeller(api, overrides);
    await setLivePassword(ctx, user.userId);
    return user;
  };
  const [publisher, viewer, anybody] = await Promise.all([newPublisher(), registerUser(api), publicToken(api)]);
  const own = publisher.token;
  const studio: Studio = {
    ...{ ctx, api, publisher, viewer, anybody, newPublisher },
    aChannel: (members = {}) => ({
      name: 'Mountain channel',
      streamPath: `path-${randomBytes(6).toString('hex')}`,
      ...members,
    }),
    anEvent: (start, end, members = {}) => ({
      ...{ name: 'Descent', paymentMode: 'FREE' },
      ...{ eventDate: inMinutes(ctx, start), endDate: inMinutes(ctx, end) },
      ...members,
    }),
    createChannel: (body, by = publisher) => studio.post('/api/live/channel', body, by.token),
    createEvent: (channelId, body, by = publisher) =>
      studio.post(`/api/live/channel/${channelId}/event`, body, by.token),
    channel: async (members, by) => bodyOf(201, await studio.createChannel(studio.aChannel(members), by)).channelId,
    async event(start, end, members, channelId, by) {
      const target = channelId ?? (await studio.channel({}, by));
      return bodyOf(201, await studio.createEvent(target, studio.anEvent(start, end, members), by));
    },
    thumbnail: (by = publisher) => makeThumbnail(ctx, by.userId),
    get: (path, token = own, headers = {}) => api.call('GET', path, { token, headers }),
    post: (path, body, token = own, headers = {}) => api.call('POST', path, { token, body, headers }),
    remove: (path, token = own) => api.call('DELETE', path, { token }),
    drained: () => drainSearch(ctx),
    close: async () => {},
  };
  return studio;
}
