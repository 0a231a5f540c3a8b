import { ApiError, errorOf } from './clientErrors.js';

/** The tokens of a login (`video.session`). An application that stores them preserves the login. */
export interface Session {
  readonly accessToken: string;
  /** Null: a public token. */
  readonly refreshToken: string | null;
}

export interface Credentials {
  /** URL of the service, with its base path if it has one. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** Empty for a public client, such as a web page. */
  readonly clientSecret: string;
}

/**
 * The tokens of a client. A request whose token has expired refreshes the tokens, and is sent again; concurrent requests share one
 * refresh. Without a login, a public token is used. Tokens that an older refresh receives after a login or its end are not
 * stored.
 */
export class Sessions {
  current: Session | null = null;
  /** Counts logins and their ends. */
  #login = 0;
  #renewing: Promise<Session> | null = null;

  constructor(
    private readonly credentials: Credentials,
    private readonly send: typeof fetch,
    private readonly onChange: (session: Session | null) => void,
  ) {}

  /** Throws ApiError if user code or password are wrong. */
  async logIn(userCode: string, password: string): Promise<void> {
    this.#begin(await this.#ask({ grant_type: 'password', username: userCode, password }));
  }

  logOut(): void {
    this.#begin(null);
  }

  /** Sends a request with a token. The response may be an error. A rejected refresh ends the login, and throws ApiError. */
  async fetch(request: Request): Promise<Response> {
    const login = this.#login;
    const session = this.current ?? (await this.#renew(null));
    const again = request.clone();
    const response = await this.send(withToken(request, session));
    if (response.status !== 401 || login !== this.#login) return response;
    await response.body?.cancel();
    return this.send(withToken(again, await this.#renew(session)));
  }

  /** New tokens instead of expired ones. Another request may already have received them. */
  #renew(expired: Session | null): Promise<Session> {
    if (this.current !== null && this.current !== expired) return Promise.resolve(this.current);
    return (this.#renewing ??= this.#replace(expired?.refreshToken ?? null));
  }

  async #replace(refreshToken: string | null): Promise<Session> {
    const login = this.#login;
    try {
      const session = await this.#ask(
        refreshToken === null
          ? { grant_type: 'client_credentials' }
          : { grant_type: 'refresh_token', refresh_token: refreshToken },
      );
      if (login === this.#login) this.#set(session);
      return session;
    } catch (error) {
      if (login === this.#login && refreshToken !== null && isRefusal(error)) this.#begin(null);
      throw error;
    } finally {
      if (login === this.#login) this.#renewing = null;
    }
  }

  async #ask(form: Readonly<Record<string, string>>): Promise<Session> {
    const { baseUrl, clientId, clientSecret } = this.credentials;
    const response = await this.send(`${baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams(form),
    });
    if (!response.ok) throw await errorOf(response);
    const body = (await response.json()) as { access_token: string; refresh_token?: string };
    return { accessToken: body.access_token, refreshToken: body.refresh_token ?? null };
  }

  #begin(session: Session | null): void {
    this.#login += 1;
    this.#renewing = null;
    this.#set(session);
  }

  #set(session: Session | null): void {
    this.current = session;
    this.onChange(session);
  }
}

/** Whether an error ends the login. An unreachable or overloaded server does not. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

function withToken(request: Request, { accessToken }: Session): Request {
  request.headers.set('Authorization', `Bearer ${accessToken}`);
  return request;
}
