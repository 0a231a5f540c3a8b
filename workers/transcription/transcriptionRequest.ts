import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { PermanentJobError } from '../runtime/jobTypes.js';

/** Maximum size of a response. With word timestamps, the response for a piece has 0.5 MB. */
const maxResponseBytes = 2 * 1024 ** 2;
/** Routers drop idle connections. */
const keepAliveMs = 60_000;

/** A file in a form, with other fields. */
export interface FileForm {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly path: string;
}

export interface FormResponse {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a form (`multipart/form-data`) with a WAV file, and reads the response, which may take as long as `signal` permits: Node's
 * `fetch` times out after 300 s without response headers. Redirects are not followed. Rejects with the reason of `signal`, with
 * errors of the connection, and with PermanentJobError if the response is too long.
 */
export async function sendFileForm(
  { url, headers, fields, path }: FileForm,
  signal: AbortSignal,
): Promise<FormResponse> {
  signal.throwIfAborted();
  const boundary = randomUUID();
  const [start, end] = [Buffer.from(startOf(boundary, fields)), Buffer.from(`\r\n--${boundary}--\r\n`)];
  const { size } = await stat(path);
  const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
    ...{ method: 'POST', agent: false, signal },
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': start.length + size + end.length,
    },
  });
  const response = responseTo(request);
  request.setSocketKeepAlive(true, keepAliveMs);
  const body = async function* (): AsyncGenerator<Buffer> {
    yield start;
    yield* withErrorListener(createReadStream(path)) as AsyncIterable<Buffer>;
    yield end;
  };
  // A server that refuses a form may respond and close the connection before it has read the form.
  const sent = pipeline(Readable.from(body()), request).catch(() => {});
  try {
    return await read(await response);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    request.destroy();
    await sent;
  }
}

function responseTo(request: ReturnType<typeof requestHttp>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('the transcription server changed the protocol'));
    });
  });
}

async function read(response: IncomingMessage): Promise<FormResponse> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxResponseBytes)
      throw new PermanentJobError(`the transcription server sent more than ${maxResponseBytes} bytes`);
    parts.push(part);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') };
}

function startOf(boundary: string, fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = 'content-disposition: form-data; name="file"; filename="speech.wav"\r\ncontent-type: audio/wav\r\n\r\n';
  return `${parts.join('')}--${boundary}\r\n${file}`;
}
