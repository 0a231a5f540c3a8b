import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { basename } from 'node:path';

/** A response whose status is an error, or an unexpected one. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
    what: string,
  ) {
    super(`${what}: status ${status}, ${JSON.stringify(body)}`);
  }
}

/** A client of the service's HTTP interface. */
export interface Client {
  token(form: Readonly<Record<string, string>>): Promise<string>;
  get<Response>(path: string, token: string): Promise<Response>;
  post<Response>(path: string, token: string, body: object): Promise<Response>;
  delete(path: string, token: string): Promise<void>;
  /** The data of server-sent events, one by one. */
  events<Event>(path: string, token: string, signal: AbortSignal): AsyncGenerator<Event>;
  /** A multipart upload, streamed; `onProgress` is called with the percentage that has been sent. */
  upload<Response>(
    path: string,
    token: string,
    form: UploadForm,
    onProgress: (percent: number) => void,
  ): Promise<Response>;
}

interface UploadForm {
  readonly file: string;
  readonly fields: Readonly<Record<string, string>>;
}

export function createClient(baseUrl: string, clientId: string, clientSecret: string): Client {
  const call = async <Response>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Response> => {
    const response = await fetch(baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const received: unknown = response.status === 204 ? null : await response.json().catch(() => null);
    if (!response.ok) throw new ApiError(response.status, received, `${method} ${path}`);
    return received as Response;
  };
  const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
  return {
    async token(form) {
      const headers = {
        Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      const body = await call<{ access_token: string }>(
        'POST',
        '/oauth/token',
        headers,
        new URLSearchParams(form).toString(),
      );
      return body.access_token;
    },
    get: (path, token) => call('GET', path, bearer(token)),
    post: (path, token, body) =>
      call('POST', path, { ...bearer(token), 'Content-Type': 'application/json' }, JSON.stringify(body)),
    delete: (path, token) => call('DELETE', path, bearer(token)),
    events: (path, token, signal) => events(baseUrl + path, bearer(token), signal),
    upload: (path, token, form, onProgress) => upload(new URL(baseUrl + path), bearer(token), form, onProgress),
  };
}

async function* events<Event>(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<Event> {
  const response = await fetch(url, { headers, signal });
  if (!response.ok || !response.body) throw new ApiError(response.status, null, `GET ${url}`);
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice('data:'.length)) as Event;
  }
}

async function upload<Response>(
  url: URL,
  headers: Record<string, string>,
  form: UploadForm,
  onProgress: (percent: number) => void,
): Promise<Response> {
  const boundary = 'sample-clip-boundary';
  const fields = Object.entries(form.fields)
    .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('');
  const fileHead = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${basename(form.file)}"\r\nContent-Type: video/mp4\r\n\r\n`;
  const head = Buffer.from(fields + fileHead);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const { size } = await stat(form.file);
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      headers: {
        ...headers,
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        'Content-Length': head.length + size + tail.length,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (status !== 201) return reject(new ApiError(status, text, `POST ${url.pathname}`));
        resolve(JSON.parse(text) as Response);
      });
    });
    outgoing.write(head);
    let sent = 0;
    const file = createReadStream(form.file, { highWaterMark: 64 * 1024 });
    file.on('data', (part) => onProgress(((sent += part.length) / size) * 100));
    file.on('error', (error) => outgoing.destroy(error));
    file.on('end', () => outgoing.end(tail));
    file.pipe(outgoing, { end: false });
  });
}
