import { createReadStream } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { withErrorListener } from '../../shared/platform/errorListener.js';

/** A request whose body is a file. */
export interface FileRequest extends Sending {
  readonly url: string;
  readonly method: 'POST' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly bytes: number;
}

export interface Sending {
  /** Default: no limit. */
  readonly bytesPerSecond?: number;
  readonly onSent?: (bytes: number) => void;
}

const readBytes = 256 * 1024;

/** Sends a file. Resolves with the headers of the response. Throws if its status is an error. */
export async function sendFile(sent: FileRequest): Promise<IncomingHttpHeaders> {
  const { url, method, headers, path, bytes } = sent;
  const outgoing = request(url, { method, headers: { ...headers, 'Content-Length': bytes }, agent: false });
  const responded = new Promise<IncomingHttpHeaders>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const { statusCode = 0 } = response;
      response.once('error', reject).once('end', () => {
        if (statusCode >= 300) reject(new Error(`${method} ${url}: status ${statusCode}`));
        else resolve(response.headers);
      });
      response.resume();
    });
  });
  await Promise.all([pipeline(createReadStream(path, { highWaterMark: readBytes }), paced(sent), outgoing), responded]);
  return responded;
}

/** Counts the transferred bytes, and delays bytes that exceed the rate. */
function paced({ bytesPerSecond = Infinity, onSent = () => {} }: Sending): Transform {
  const startMs = performance.now();
  let bytes = 0;
  return withErrorListener(
    new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        const aheadMs = (bytes / bytesPerSecond) * 1_000 - (performance.now() - startMs);
        if (aheadMs > 5) await sleep(aheadMs);
        bytes += chunk.length;
        onSent(bytes);
        done(null, chunk);
      },
    }),
  );
}
