import { createReadStream } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { withErrorListener } from '../../shared/platform/errorListener.js';

/** A request whose body is a file, or a part of it, between two texts. */
export interface FileBody {
  readonly url: string;
  readonly method: 'POST' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  /** The first bytes of the file, so many. */
  readonly bytes: number;
  readonly before?: string;
  readonly after?: string;
  /** Of all bytes together. Default: as fast as they are taken. */
  readonly bytesPerSecond?: number;
  readonly onSent?: (bytes: number) => void;
}

export interface FileResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const readBytes = 256 * 1024;

/** Sends a file. Throws where the status is an error. */
export async function sendFile(sent: FileBody): Promise<FileResponse> {
  const { url, method, headers, path, bytes, before = '', after = '' } = sent;
  const length = Buffer.byteLength(before) + bytes + Buffer.byteLength(after);
  const outgoing = request(url, { method, headers: { ...headers, 'Content-Length': length }, agent: false });
  const responded = new Promise<FileResponse>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.once('error', reject);
    });
  });
  if (before) outgoing.write(before);
  const file = createReadStream(path, { end: bytes - 1, highWaterMark: readBytes });
  await pipeline(file, counted(sent), outgoing, { end: false });
  outgoing.end(after);
  const response = await responded;
  if (response.status >= 300) throw new Error(`${method} ${url}: status ${response.status}, ${response.text}`);
  return response;
}

/** Counts what goes through, and holds it back where it is faster than it may be. */
function counted({ bytesPerSecond = Infinity, onSent = () => {} }: FileBody): Transform {
  const begun = performance.now();
  let bytes = 0;
  return withErrorListener(
    new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        const aheadMs = (bytes / bytesPerSecond) * 1_000 - (performance.now() - begun);
        if (aheadMs > 5) await sleep(aheadMs);
        bytes += chunk.length;
        onSent(bytes);
        done(null, chunk);
      },
    }),
  );
}
