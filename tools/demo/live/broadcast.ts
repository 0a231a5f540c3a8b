import { randomBytes } from 'node:crypto';
import { dataOf, type components } from '../../../client/index.js';
import { dateTimeMembers, timeOf } from '../dateTimes.js';
import type { DemoRun } from '../../../scripts/sample/uploadedClip.js';

/** A channel with an event that is in progress. */
export interface Broadcast {
  readonly channelId: string;
  /** The address to which an encoder publishes, with user code and live password. */
  readonly publishUrl: string;
  isOnAir(): Promise<boolean>;
}

type BroadcastOptions = Pick<DemoRun, 'client' | 'config'>;

type Channel = components['schemas']['LiveChannel'];

const name = 'Demo channel';
const hourMs = 3_600_000;
const eventHours = 3;

/** Finds or creates live password, channel and event of the demo user. */
export async function prepareBroadcast(options: BroadcastOptions): Promise<Broadcast> {
  const { api } = options.client;
  const { userCode, livePassword } = await livePasswordOf(options);
  const { channelId, streamingBaseUrl, streamPath } = (await findChannel(options)) ?? (await createChannel(options));
  const eventId = (await findEvent(options, channelId)) ?? (await createEvent(options, channelId));
  const publishUrl = new URL(`${streamingBaseUrl}/${streamPath}`);
  publishUrl.username = userCode;
  publishUrl.password = livePassword;
  return {
    ...{ channelId, publishUrl: publishUrl.href },
    isOnAir: async () => dataOf(await api.GET('/api/live/event/{eventId}', { params: { path: { eventId } } })).onAir,
  };
}

async function livePasswordOf({
  client: { api },
}: BroadcastOptions): Promise<{ userCode: string; livePassword: string }> {
  const { userCode, profile, features } = dataOf(await api.GET('/api/user/me'));
  if (features.livePassword) return { userCode, livePassword: features.livePassword };
  const livePassword = randomBytes(12).toString('hex');
  dataOf(await api.POST('/api/user/me', { body: { profile, features: { livePassword } } }));
  return { userCode, livePassword };
}

async function findChannel({ client: { api } }: BroadcastOptions): Promise<Channel | undefined> {
  const { items } = dataOf(await api.POST('/api/search/live/channels', { body: { pageSize: 100, pageIndex: 0 } }));
  return items.find((channel) => channel.name === name);
}

async function createChannel({ client: { api } }: BroadcastOptions): Promise<Channel> {
  const free = await api.GET('/api/public/live/streampath', { params: { query: { base: 'demo' } } });
  const { streamPath } = dataOf(free);
  const body = { name, streamPath, description: 'A test picture with a clock.' };
  return dataOf(await api.POST('/api/live/channel', { body }));
}

async function findEvent({ client, config }: BroadcastOptions, channelId: string): Promise<string | undefined> {
  const body = { channelId, pageSize: 20, pageIndex: 0 };
  const { items } = dataOf(await client.api.POST('/api/search/live/events', { body }));
  const now = Date.now();
  return items.find((event) => timeOf(config, event.eventDate) <= now && timeOf(config, event.endDate) > now)?.eventId;
}

async function createEvent({ client, config }: BroadcastOptions, channelId: string): Promise<string> {
  const now = Date.now();
  const created = await client.api.POST('/api/live/channel/{channelId}/event', {
    params: { path: { channelId } },
    body: {
      name: 'Demo event',
      paymentMode: 'FREE',
      eventDate: dateTimeMembers(config, now),
      endDate: dateTimeMembers(config, now + eventHours * hourMs),
    },
  });
  return dataOf(created).eventId;
}
