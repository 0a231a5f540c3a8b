/* The reference for uploads: a bare Node server that only writes each body to a new file and flushes it. Settings: PORT, FOLDER. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withErrorListener } from '../../../shared/platform/errorListener.js';

const { PORT, FOLDER = '' } = process.env;

const server = withErrorListener(
  createServer((request, response) => {
    const path = join(FOLDER, randomUUID());
    pipeline(request, createWriteStream(path, { flush: true }))
      .then(() => {
        response.writeHead(201).end();
        return rm(path);
      })
      .catch((error: unknown) => {
        console.error(error);
        response.destroy();
      });
  }),
);
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'));
