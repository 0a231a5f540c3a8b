/* A receiver of traces that keeps nothing. Setting: PORT. */
import { createServer } from 'node:http';
import { withErrorListener } from '../../../shared/platform/errorListener.js';

withErrorListener(
  createServer((request, response) => {
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  }),
).listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('ready'));
