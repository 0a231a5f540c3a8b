import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { basename } from 'node:path';
import { ApiError } from '../../client/index.js';

/** Requests of the bench, with as little around them as possible, and uploads as a form. */
export interface Client {
  get<Response>(path: string, token: string): Promise<Response>;
  post<Response>(path: string, token: string, body: object): Promise<Response>;
  delete(path: string, token: string): Promise<void>;
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

export function createClient(baseUrl: string): Client {
  const call = async <Response>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Response> => {
    const response = await fetch(baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const received: unknown = response.status === 204 ? null : await response.json().catch(() => null);
    if (!response.ok) throw new ApiError(response.status, received);
    return received as Response;
  };
  const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
  return {
    get: (path, token) => call('GET', path, bearer(token)),
    post: (path, token, body) =>
      call('POST', path, { ...bearer(token), 'Content-Type': 'application/json' }, JSON.stringify(body)),
    delete: (path, token) => call('DELETE', path, bearer(token)),
    upload: (path, token, form, onProgress) => upload(new URL(baseUrl + path), bearer(token), form, onProgress),
  };
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
        if (status !== 201) return reject(new ApiError(status, text));
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
