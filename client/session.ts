import { errorOf } from './errors.js';

/** What a login has given. Whoever keeps it, keeps the login: `video.session`. */
export interface Session {
  readonly accessToken: string;
  /** Null: of nobody, for public paths. */
  readonly refreshToken: string | null;
}

export interface Credentials {
  /** Address of the service, with its base path if it has one. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * The tokens of a client. A request that finds its token dead asks for new ones, and is sent once more; of any number of requests at
 * the same time, one asks. Without a login, a public token is used.
 */
export class Sessions {
  current: Session | null = null;
  #renewing: Promise<Session> | null = null;

  constructor(
    private readonly credentials: Credentials,
    private readonly send: typeof fetch,
    private readonly onChange: (session: Session | null) => void,
  ) {}

  /** Throws ApiError where name or password are wrong. */
  async logIn(userCode: string, password: string): Promise<void> {
    this.#set(await this.#ask({ grant_type: 'password', username: userCode, password }));
  }

  logOut(): void {
    this.#set(null);
  }

  /** Sends a request with a token. The response may be an error; a refresh that is refused throws ApiError, and ends the login. */
  async fetch(request: Request): Promise<Response> {
    const session = this.current ?? (await this.#renew(null));
    const again = request.clone();
    const response = await this.send(withToken(request, session));
    if (response.status !== 401) return response;
    await response.body?.cancel();
    return this.send(withToken(again, await this.#renew(session)));
  }

  /** New tokens in place of those that are dead. Another request may have got them already. */
  #renew(dead: Session | null): Promise<Session> {
    if (this.current !== null && this.current !== dead) return Promise.resolve(this.current);
    this.#renewing ??= this.#ask(
      dead?.refreshToken
        ? { grant_type: 'refresh_token', refresh_token: dead.refreshToken }
        : { grant_type: 'client_credentials' },
    )
      .then((session) => {
        this.#set(session);
        return session;
      })
      .finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  async #ask(form: Readonly<Record<string, string>>): Promise<Session> {
    const { baseUrl, clientId, clientSecret } = this.credentials;
    const response = await this.send(`${baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams(form),
    });
    if (!response.ok) {
      // A server that is away has not ended the login.
      if (form['grant_type'] === 'refresh_token' && response.status < 500 && response.status !== 429) this.#set(null);
      throw await errorOf(response);
    }
    const body = (await response.json()) as { access_token: string; refresh_token?: string };
    return { accessToken: body.access_token, refreshToken: body.refresh_token ?? null };
  }

  #set(session: Session | null): void {
    this.current = session;
    this.onChange(session);
  }
}

function withToken(request: Request, { accessToken }: Session): Request {
  request.headers.set('Authorization', `Bearer ${accessToken}`);
  return request;
}
