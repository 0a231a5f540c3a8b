import { timingSafeEqual } from 'node:crypto';
import { pino } from 'pino';
import type { FlvTag } from '../../../shared/media/flv/index.js';
import type { AuthenticationRequest, Refusal, AuthenticationResult } from '../../../workers/rtmp/decisions.js';
import type { RtmpPublication } from '../../../workers/rtmp/publication.js';
import { startRtmpServer, type RtmpServer, type RtmpServerOptions } from '../../../workers/rtmp/rtmpServer.js';

/** The password contains characters that queries and base64 treat specially. */
export const alice = { user: 'alice', password: 'pa+ss=word', streamPath: 'news' };
export const bob = { user: 'bob', password: 'secret-of-bob', streamPath: 'sports' };

/** The last part of a URL with credentials in the stream key. */
export const keyOf = (owner: typeof alice, streamPath = owner.streamPath): string =>
  `${streamPath}?user=${owner.user}&pass=${encodeURIComponent(owner.password)}`;

/** A publication, and the tags read from it. */
export interface TakenPublication {
  readonly publication: RtmpPublication<string>;
  readonly tags: FlvTag[];
}

export interface TestRtmp extends RtmpServer {
  readonly taken: TakenPublication[];
  readonly refusals: Refusal[];
  readonly log: string[];
  /** Closes the server, and fails if the log contains a password. */
  stop(): Promise<void>;
}

/** Alice and Bob may publish their own streams. Publications are read at once, unless `onPublish` is set. */
export async function startTestRtmp(options: Partial<RtmpServerOptions<string>> = {}): Promise<TestRtmp> {
  const taken: TakenPublication[] = [];
  const refusals: Refusal[] = [];
  const log: string[] = [];
  const server = await startRtmpServer<string>({
    host: '127.0.0.1',
    port: 0,
    log: pino({ level: 'debug' }, { write: (line: string) => void log.push(line) }),
    now: () => new Date(),
    authenticate: (request) => Promise.resolve(decide(request)),
    onPublish(publication) {
      const tags: FlvTag[] = [];
      taken.push({ publication, tags });
      void readAll(publication, tags);
    },
    onRefused: (refusal) => void refusals.push(refusal),
    ...options,
  });
  return Object.assign(server, {
    taken,
    refusals,
    log,
    async stop() {
      await server.close();
      const leaked = log.find((line) => [alice, bob].some(({ password }) => line.includes(password)));
      if (leaked) throw new Error(`the log contains a password: ${leaked}`);
    },
  });
}

/** Reads a publication to its end. */
export async function readAll(
  { tags }: Pick<RtmpPublication<unknown>, 'tags'>,
  read: FlvTag[] = [],
): Promise<FlvTag[]> {
  for await (const batch of tags) read.push(...batch);
  return read;
}

/** One reason for all invalid credentials, and one for the path. */
export function decide({ credentials, streamPath }: AuthenticationRequest): AuthenticationResult<string> {
  if (credentials.kind === 'none') return { allowed: false, reason: 'Credentials are missing.' };
  const owner = [alice, bob].find(({ user }) => user === credentials.user);
  if (!owner || !isPassword(credentials, owner.password))
    return { allowed: false, reason: 'The credentials are wrong.' };
  if (streamPath !== null && streamPath !== owner.streamPath)
    return { allowed: false, reason: 'There is no such stream.' };
  return { allowed: true, owner: owner.user };
}

function isPassword(
  credentials: Exclude<AuthenticationRequest['credentials'], { kind: 'none' }>,
  password: string,
): boolean {
  if (credentials.kind === 'adobe') return credentials.check(password);
  const [sent, expected] = [Buffer.from(credentials.password), Buffer.from(password)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
