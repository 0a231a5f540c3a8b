import type { Context } from '../../../shared/platform/context.js';
import { makeStream } from '../liveStreams.js';
import { makeUser, setLivePassword } from '../users.js';

/** A user with a stream, and the credentials of its encoder. */
export interface Publisher {
  readonly ownerId: string;
  readonly userCode: string;
  readonly livePassword: string;
  readonly streamId: string;
  readonly streamPath: string;
}

/** Creates a user with a live password and a stream. */
export async function makePublisher(ctx: Context): Promise<Publisher> {
  const user = await makeUser(ctx);
  const livePassword = await setLivePassword(ctx, user.id);
  const { streamId, path: streamPath } = await makeStream(ctx, user.id);
  return { ownerId: user.id, userCode: user.userCode, livePassword, streamId, streamPath };
}

type Login = Pick<Publisher, 'userCode' | 'livePassword' | 'streamPath'>;

/** The URL of an encoder that logs in with Adobe's challenge. */
export function challengeAddress(port: number, { userCode, livePassword, streamPath }: Login): string {
  return `rtmp://${userCode}:${livePassword}@127.0.0.1:${port}/live/${streamPath}`;
}

/** The stream key of an encoder with its credentials. */
export function streamKey({ userCode, livePassword, streamPath }: Login): string {
  return `${streamPath}?user=${userCode}&pass=${encodeURIComponent(livePassword)}`;
}

/** The URL of an encoder whose credentials are in the stream key. */
export function keyAddress(port: number, login: Login): string {
  return `rtmp://127.0.0.1:${port}/key/${streamKey(login)}`;
}
