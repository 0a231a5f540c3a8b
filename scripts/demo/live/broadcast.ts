import { randomBytes } from 'node:crypto';
import { dateTimeMembers, timeOf, type DateTime } from '../dateTimes.js';
import type { DemoRun } from '../uploadedClip.js';

/** A channel with an event that goes on now, and what an encoder needs. */
export interface Broadcast {
  readonly channelId: string;
  readonly streamingBaseUrl: string;
  readonly streamPath: string;
  readonly userCode: string;
  readonly livePassword: string;
  isOnAir(): Promise<boolean>;
}

type BroadcastOptions = Pick<DemoRun, 'client' | 'token' | 'config'>;

interface User {
  readonly userCode: string;
  readonly profile: object;
  readonly features?: { readonly livePassword?: string };
}

interface Channel {
  readonly channelId: string;
  readonly name: string;
  readonly streamingBaseUrl: string;
  readonly streamPath: string;
}

interface LiveEvent {
  readonly eventId: string;
  readonly eventDate: DateTime;
  readonly endDate: DateTime;
  readonly onAir: boolean;
}

const name = 'Demo channel';
const hourMs = 3_600_000;
const eventHours = 3;

/** Finds or creates live password, channel and event of the demo user. */
export async function prepareBroadcast(options: BroadcastOptions): Promise<Broadcast> {
  const { client, token } = options;
  const { userCode, livePassword } = await livePasswordOf(options);
  const { channelId, streamingBaseUrl, streamPath } = (await findChannel(options)) ?? (await createChannel(options));
  const eventId = (await findEvent(options, channelId)) ?? (await createEvent(options, channelId));
  return {
    ...{ channelId, streamingBaseUrl, streamPath, userCode, livePassword },
    isOnAir: async () => (await client.get<LiveEvent>(`/api/live/event/${eventId}`, token)).onAir,
  };
}

async function livePasswordOf({
  client,
  token,
}: BroadcastOptions): Promise<{ userCode: string; livePassword: string }> {
  const { userCode, profile, features } = await client.get<User>('/api/user/me', token);
  if (features?.livePassword) return { userCode, livePassword: features.livePassword };
  const livePassword = randomBytes(12).toString('hex');
  await client.post('/api/user/me', token, { profile, features: { livePassword } });
  return { userCode, livePassword };
}

async function findChannel({ client, token }: BroadcastOptions): Promise<Channel | undefined> {
  const body = { pageSize: 100, pageIndex: 0 };
  const { items } = await client.post<{ items: Channel[] }>('/api/search/live/channels', token, body);
  return items.find((channel) => channel.name === name);
}

async function createChannel({ client, token }: BroadcastOptions): Promise<Channel> {
  const { streamPath } = await client.get<{ streamPath: string }>('/api/public/live/streampath?base=demo', token);
  return client.post('/api/live/channel', token, { name, streamPath, description: 'A test picture with a clock.' });
}

async function findEvent({ client, token, config }: BroadcastOptions, channelId: string): Promise<string | undefined> {
  const body = { channelId, pageSize: 20, pageIndex: 0 };
  const { items } = await client.post<{ items: LiveEvent[] }>('/api/search/live/events', token, body);
  const now = Date.now();
  return items.find((event) => timeOf(config, event.eventDate) <= now && timeOf(config, event.endDate) > now)?.eventId;
}

async function createEvent({ client, token, config }: BroadcastOptions, channelId: string): Promise<string> {
  const now = Date.now();
  const { eventId } = await client.post<LiveEvent>(`/api/live/channel/${channelId}/event`, token, {
    name: 'Demo event',
    paymentMode: 'FREE',
    eventDate: dateTimeMembers(config, now),
    endDate: dateTimeMembers(config, now + eventHours * hourMs),
  });
  return eventId;
}
