import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDateTime } from '../../../shared/platform/formats/format.js';
import { utc } from '../../../shared/platform/formats/timeZone.js';
import { writeGrant } from '../../../shared/playback/grant.js';
import type { TestDeployment } from '../deployment.js';
import { createLoggedInUser, setLivePassword } from '../users.js';
import { type Publisher } from './publishers.js';

/** A channel with a current, recorded event, created over HTTP, and the URL of its playlist. */
export interface TestBroadcast extends Publisher {
  readonly eventId: string;
  readonly masterUrl: string;
}

export async function openBroadcast({ ctx, api }: TestDeployment): Promise<TestBroadcast> {
  const { token, userId, userCode } = await createLoggedInUser(ctx);
  const livePassword = await setLivePassword(ctx, userId);
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const response = await api.call('POST', path, { token, body });
    if (response.status !== 201) throw new Error(`${path} responded ${response.status}: ${response.text}`);
    return response.body as Record<string, string>;
  };
  const streamPath = `path${randomUUID().slice(0, 8)}`;
  const { channelId = '' } = await post('/api/live/channel', { name: 'Channel', streamPath });
  const { eventId = '' } = await post(`/api/live/channel/${channelId}/event`, {
    name: 'Event',
    ...{ paymentMode: 'FREE', recordEvent: true },
    eventDate: formatDateTime(new Date(Date.now() - 60_000), utc),
    endDate: formatDateTime(new Date(Date.now() + 3_600_000), utc),
  });
  const grant = writeGrant(ctx.config.playback.keys, {
    ...{ kind: 'live', sessionId: randomUUID(), viewerCode: userCode, publisherCode: userCode },
    expiresSeconds: Math.round(Date.now() / 1000) + 3600,
    prefix: `live/${channelId}/`,
  });
  const masterUrl = `${api.url}/s/${grant}/live/${channelId}/master.m3u8`;
  return { ownerId: userId, userCode, livePassword, streamId: channelId, streamPath, eventId, masterUrl };
}

/** The observed states of the event since it went on air. */
export interface OnAirWatch {
  /** Resolves with the number of responses with `onAir` true, and with false afterwards. */
  stop(): Promise<{ readonly on: number; readonly off: number }>;
}

/** Polls the event. Errors of a service that is down are ignored. */
export async function watchOnAir({ ctx, api }: TestDeployment, { eventId }: TestBroadcast): Promise<OnAirWatch> {
  const { token } = await createLoggedInUser(ctx);
  const stopping = new AbortController();
  const counts = { on: 0, off: 0 };
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const response = await api.call('GET', `/api/public/live/event/${eventId}`, { token }).catch(() => null);
      if (response?.status === 200) {
        if (response.body.onAir === true) counts.on += 1;
        else if (counts.on > 0) counts.off += 1;
      }
      await sleep(300, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const ended = watch();
  return {
    async stop() {
      stopping.abort();
      await ended;
      return counts;
    },
  };
}
