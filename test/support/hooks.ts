import { createHmac } from 'node:crypto';
import { type TestApi, type TestResponse, integrationHeaders } from './api.js';

/** An encoder on a streaming server. */
export interface HookClient {
  readonly path: string;
  readonly user: string;
  readonly pass: string;
  /** Id of the connection in the server's own format; default: the first one. */
  readonly connection?: number;
}

/** A streaming server according to its documentation and code: bodies of its hooks and expected responses. */
export interface RecordedServer {
  readonly name: string;
  /** Sends the hook that an encoder's action triggers. */
  readonly publish: (api: TestApi, client: HookClient) => Promise<TestResponse>;
  readonly end: (api: TestApi, client: HookClient) => Promise<TestResponse>;
  readonly isAllowed: (response: TestResponse) => boolean;
  readonly isRefused: (response: TestResponse) => boolean;
}

const ip = '203.0.113.7';
const query = ({ user, pass }: HookClient): string =>
  `user=${encodeURIComponent(user)}&pass=${encodeURIComponent(pass)}`;

function sendHook(
  api: TestApi,
  server: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return api.call('POST', `/rest/integration/hooks/${server}`, {
    headers: { ...integrationHeaders(api), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The form of nginx-rtmp 1.2; the client's query is appended as sent. */
export function nginxForm(call: string, { path, connection = 1 }: HookClient, clientQuery: string): string {
  const fields = [
    'app=live&flashver=FMLE/3.0%20(compatible%3B%20Lavf59.27&swfurl=&tcurl=rtmp://media.example.org/live&pageurl=',
    `&addr=${ip}&clientid=${connection}&call=${call}`,
    call === 'update_publish' ? '&time=30&timestamp=29970' : '',
    `&name=${path}`,
    call === 'publish' ? '&type=live' : '',
  ];
  return `${fields.join('')}${clientQuery === '' ? '' : `&${clientQuery}`}`;
}

export function nginxHook(
  api: TestApi,
  call: string,
  client: HookClient,
  clientQuery = query(client),
): Promise<TestResponse> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return sendHook(api, 'nginx-rtmp', nginxForm(call, client, clientQuery), type);
}

export function mediamtxHook(api: TestApi, client: HookClient, more: object = {}): Promise<TestResponse> {
  const { path, user, pass, connection = 1 } = client;
  return sendHook(api, 'mediamtx', {
    ip,
    user,
    password: pass,
    token: `${user}:${pass}`,
    action: 'publish',
    path,
    protocol: 'rtmp',
    id: uuidOf(connection),
    query: query(client),
    userAgent: 'FMLE/3.0',
    ...more,
  });
}

export function srsHook(api: TestApi, action: string, client: HookClient): Promise<TestResponse> {
  const { path, connection = 1 } = client;
  return sendHook(api, 'srs', {
    server_id: 'vid-0xk989d',
    service_id: '382k456r',
    action,
    client_id: `341w36${connection}`,
    ip,
    vhost: '__defaultVhost__',
    app: 'live',
    tcUrl: 'rtmp://127.0.0.1:1935/live',
    stream: path,
    param: `?${query(client)}`,
    stream_url: `/live/${path}`,
    stream_id: 'vid-124q9y3',
  });
}

export function nodeMediaServerHook(api: TestApi, action: string, client: HookClient): Promise<TestResponse> {
  const { path, user, pass, connection = 1 } = client;
  const body = {
    id: `6f1c7f3e8b1f${connection}`,
    ip,
    app: 'live',
    name: path,
    query: { user, pass },
    protocol: 'rtmp',
    createtime: 1_764_000_000_000,
    endtime: 0,
    inbytes: 0,
    outbytes: 0,
    filePath: '',
    action,
  };
  return sendHook(api, 'node-media-server', body, { 'content-type': 'text/plain;charset=UTF-8' });
}

export function ovenBody(api: TestApi, status: 'opening' | 'closing', client: HookClient, more: object = {}): string {
  return JSON.stringify({
    client: { address: ip, port: 29_290 + (client.connection ?? 1), user_agent: 'FMLE/3.0' },
    request: {
      direction: 'incoming',
      protocol: 'rtmp',
      status,
      url: `rtmp://media.example.org:1935/live/${client.path}?${query(client)}`,
      time: api.ctx.clock.now().toISOString(),
      ...more,
    },
  });
}

/** Without basic credentials: the signature replaces them. */
export function ovenHook(api: TestApi, body: string, secret: string): Promise<TestResponse> {
  const signature = createHmac('sha1', secret).update(body).digest('base64url');
  return api.call('POST', '/rest/integration/hooks/ovenmediaengine', {
    headers: { 'content-type': 'application/json', 'x-ome-signature': signature },
    body,
  });
}

function uuidOf(connection: number): string {
  return `5f0c6a52-3b1e-4d0a-9a43-${String(connection).padStart(12, '0')}`;
}

const isEmpty = ({ status, text }: TestResponse): boolean => status === 200 && text === '';
const secretOf = (api: TestApi): string => api.ctx.config.live.ovenMediaEngineSecret ?? '';

export const recordedServers: readonly RecordedServer[] = [
  {
    name: 'nginx-rtmp',
    publish: (api, client) => nginxHook(api, 'publish', client),
    end: (api, client) => nginxHook(api, 'publish_done', client),
    isAllowed: isEmpty,
    isRefused: ({ status }) => status === 403,
  },
  {
    name: 'mediamtx',
    publish: (api, client) => mediamtxHook(api, { ...client, path: `live/${client.path}` }),
    end: (api, { path, connection = 1 }) =>
      sendHook(api, `mediamtx?event=unavailable&id=${uuidOf(connection)}&path=live/${path}`, ''),
    isAllowed: isEmpty,
    isRefused: ({ status }) => status === 401,
  },
  {
    name: 'srs',
    publish: (api, client) => srsHook(api, 'on_publish', client),
    end: (api, client) => srsHook(api, 'on_unpublish', client),
    isAllowed: ({ status, body }) => status === 200 && body.code === 0,
    isRefused: ({ status, body }) => status === 200 && body.code === 403,
  },
  {
    name: 'node-media-server',
    publish: (api, client) => nodeMediaServerHook(api, 'postPublish', client),
    end: (api, client) => nodeMediaServerHook(api, 'donePublish', client),
    isAllowed: isEmpty,
    isRefused: ({ status }) => status === 403,
  },
  {
    name: 'ovenmediaengine',
    publish: (api, client) => ovenHook(api, ovenBody(api, 'opening', client), secretOf(api)),
    end: (api, client) => ovenHook(api, ovenBody(api, 'closing', client), secretOf(api)),
    isAllowed: ({ status, body }) => status === 200 && (body.allowed === true || Object.keys(body).length === 0),
    isRefused: ({ status, body }) => status === 200 && body.allowed === false,
  },
];
