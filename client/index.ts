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
  /** Of messages, such as `it`, unless a request names another one. Default: that of the service. */
  readonly language?: string | undefined;
  /** A session that was kept: `onSession`. */
  readonly session?: Session | null | undefined;
  /** Called at each login, refresh and end of a login. */
  readonly onSession?: ((session: Session | null) => void) | undefined;
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch | undefined;
}

export type BoxItem = components['schemas']['BoxItem'];

/** A client of the service, for one user, or for nobody before a login. */
export interface VideoClient {
  /**
   * Every operation, with its types: `video.api.GET('/api/box/{boxId}', { params: { path: { boxId } } })`. A body with a `Blob` is sent as a
   * form. A response that is not JSON is read with `parseAs`.
   */
  readonly api: Client<paths>;
  /** The present tokens. Null: nothing was sent yet, or the login has ended. */
  readonly session: Session | null;
  /** Throws ApiError where user code or password are wrong. */
  logIn(userCode: string, password: string): Promise<void>;
  /** Forgets the tokens. The service is not asked. */
  logOut(): void;
  /** Uploads a file, and goes on after a line that breaks. Resolves with the id of its box item. */
  upload(file: Blob, fields: UploadFields, options?: UploadOptions): Promise<string>;
  /** Follows a box item until it plays. Throws ContentFailedError, and ApiError (404: there is no such item). */
  untilReady(boxId: string, options?: FollowOptions): Promise<BoxItem>;
}

/** Makes a client. Nothing is sent before its first use. */
export function createVideoClient(options: VideoClientOptions): VideoClient {
  const baseUrl = options.baseUrl.replace(/\/$/, '');
  const { fetch: send = (...given) => fetch(...given), onSession = () => {}, language } = options;
  const sessions = new Sessions({ ...options, baseUrl }, send, onSession);
  sessions.current = options.session ?? null;
  const request = (one: Request): Promise<Response> => {
    if (language !== undefined && !one.headers.has('Accept-Language')) one.headers.set('Accept-Language', language);
    return sessions.fetch(one);
  };
  const api = createOpenapiClient<paths>({
    baseUrl,
    fetch: request,
    bodySerializer: (body) => formOf(body) ?? defaultBodySerializer(body),
  });
  return {
    api,
    get session() {
      return sessions.current;
    },
    logIn: (userCode, password) => sessions.logIn(userCode, password),
    logOut: () => sessions.logOut(),
    upload: (file, fields, more) => upload(request, `${baseUrl}/api/box/tus`, file, fields, more),
    async untilReady(boxId, more) {
      await follow(request, `${baseUrl}/api/box/${encodeURIComponent(boxId)}/status/events`, more);
      return dataOf(await api.GET('/api/box/{boxId}', { params: { path: { boxId } } }));
    },
  };
}
