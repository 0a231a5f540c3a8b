/*
 * An object store that takes its time for each request, and keeps nothing: it answers what an upload asks of S3. Settings: PORT,
 * DELAY_MS.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { withErrorListener } from '../../../shared/platform/errorListener.js';

const { PORT, DELAY_MS } = process.env;
const xml = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?>${body}`;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const delayed = sleep(Number(DELAY_MS));
  for await (const _chunk of request);
  await delayed;
  const { searchParams: query } = new URL(request.url ?? '', 'http://store');
  response.setHeader('ETag', '"0123456789abcdef0123456789abcdef"');
  response.setHeader('Content-Type', 'application/xml');
  if (request.method === 'DELETE') response.writeHead(204).end();
  else if (request.method === 'POST' && query.has('uploads'))
    response.end(xml('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>'));
  else if (request.method === 'POST' && query.has('uploadId'))
    response.end(xml('<CompleteMultipartUploadResult><ETag>"0123456789abcdef"</ETag></CompleteMultipartUploadResult>'));
  else if (request.headers['x-amz-copy-source'] !== undefined)
    response.end(xml('<CopyPartResult><ETag>"0123456789abcdef"</ETag></CopyPartResult>'));
  else if (request.method === 'GET')
    response.end(xml('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'));
  else if (request.method === 'POST') response.end(xml('<DeleteResult></DeleteResult>'));
  else response.end();
}

const server = withErrorListener(
  createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  }),
);
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'));
