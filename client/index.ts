import createOpenapiClient, { defaultBodySerializer, type Client } from 'openapi-fetch';
import { dataOf } from './clientErrors.js';
import { follow, type FollowOptions } from './following.js';
import { formOf } from './form.js';
import type { components, paths } from './operations.js';
import { Sessions, type Credentials, type Session } from './session.js';
import { upload, type UploadFields, type UploadOptions } from './upload.js';

export { ApiError, ContentFailedError, dataOf } from './clientErrors.js';
export type { FollowOptions, ProcessingState } from './following.js';
export type { components, operations, paths } from './operations.js';
export type { Credentials, Session } from './session.js';
export type { UploadFields, UploadOptions, UploadProgress } from './upload.js';
export { verifyWebhook, WebhookSignatureError, type SignedRequest, type VideoEvent } from './webhooks.js';

export interface VideoClientOptions extends Credentials {
  /** Language of messages, such as `it`, unless a request has its own. Default: the service's language. */
  readonly language?: string | undefined;
  /** A session that was stored by `onSession`. */
  readonly session?: Session | null | undefined;
  /** Called after each login, refresh and end of a login. */
  readonly onSession?: ((session: Session | null) => void) | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export type BoxItem = components['schemas']['BoxItem'];

/** A client of the service for one user. Before a login it uses public tokens. */
export interface VideoClient {
  /**
   * All operations, typed: `video.api.GET('/api/box/{boxId}', { params: { path: { boxId } } })`. A body with a `Blob` is sent as a
   * form. A response other than JSON is read with `parseAs`.
   */
  readonly api: Client<paths>;
  /** The current tokens. Null: no request was sent yet, or the login has ended. */
  readonly session: Session | null;
  /** Throws ApiError if user code or password are wrong. */
  logIn(userCode: string, password: string): Promise<void>;
  /** Forgets the tokens, without a request to the service. */
  logOut(): void;
  /** Uploads a file, and continues after a broken connection. Resolves with the id of its box item. */
  upload(file: Blob, fields: UploadFields, options?: UploadOptions): Promise<string>;
  /** Follows a box item until it plays. Throws ContentFailedError, and ApiError (404: unknown item). */
  untilReady(boxId: string, options?: FollowOptions): Promise<BoxItem>;
}

/** Creates a client. Sends no request before its first use. */
export function createVideoClient(options: VideoClientOptions): VideoClient {
  const baseUrl = options.baseUrl.replace(/\/$/, '');
  const { fetch: send = (...sent) => fetch(...sent), onSession = () => {}, language } = options;
  const sessions = new Sessions({ ...options, baseUrl }, send, onSession);
  sessions.current = options.session ?? null;
  const sendAuthorized = (request: Request): Promise<Response> => {
    if (language !== undefined && !request.headers.has('Accept-Language'))
      request.headers.set('Accept-Language', language);
    return sessions.fetch(request);
  };
  const api = createOpenapiClient<paths>({
    baseUrl,
    fetch: sendAuthorized,
    bodySerializer: (body) => formOf(body) ?? defaultBodySerializer(body),
  });
  return {
    api,
    get session() {
      return sessions.current;
    },
    logIn: (userCode, password) => sessions.logIn(userCode, password),
    logOut: () => sessions.logOut(),
    upload: (file, fields, more) => upload(sendAuthorized, `${baseUrl}/api/box/tus`, file, fields, more),
    async untilReady(boxId, more) {
      await follow(sendAuthorized, `${baseUrl}/api/box/${encodeURIComponent(boxId)}/status/events`, more);
      return dataOf(await api.GET('/api/box/{boxId}', { params: { path: { boxId } } }));
    },
  };
}
