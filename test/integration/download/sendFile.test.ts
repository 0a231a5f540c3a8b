import { once } from 'node:events';
import { get as httpGet, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { sendStoredFile } from '../../../api/http/sendFile.js';
import type { Context } from '../../../shared/platform/context.js';
import { NotFoundError, RangeNotSatisfiableError } from '../../../shared/platform/errors.js';
import { eventually } from '../../support/eventually.js';
import { testStores } from '../../support/stores.js';
import { useFixture } from '../../support/fixtures.js';

const total = 20 * 1024 ** 2;

for (const [name, open] of Object.entries(testStores)) {
  describe(`a stored file is sent from ${name}`, () => {
    const store = useFixture(open);
    let server: Server;
    let url: string;
    const sent: number[] = [];
    const thrown: unknown[] = [];

    before(async () => {
      const files = [
        ['a/large', Buffer.alloc(total, 'abcdefgh')],
        ['a/small', Buffer.from('0123456789')],
        ['a/empty', Buffer.alloc(0)],
      ] as const;
      for (const [key, bytes] of files) await store.storage.put(key, bytes, { contentType: 'text/plain' });
      const app = express();
      app.get('/*path', async (req, response) => {
        const options = {
          contentType: 'video/mp4',
          cacheControl: 'public, max-age=60',
          onSent: (bytes: number) => void sent.push(bytes),
        };
        await sendStoredFile(
          { ctx: { storage: store.storage } as Context, response },
          req.path.slice(1),
          options,
        ).catch((error: unknown) => {
          thrown.push(error);
          response.status(500).end();
        });
      });
      server = app.listen(0);
      await once(server, 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    beforeEach(() => {
      sent.length = 0;
      thrown.length = 0;
    });
    after(async () => {
      server.closeAllConnections();
      server.close();
    });

    const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
        request(url + path, { method, headers }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
          );
        })
          .on('error', reject)
          .end();
      });
    const counted = (bytes: number) => eventually(() => expect(sent).to.deep.equal([bytes]));

    it('200: sends the complete file and counts every byte', async () => {
      const { status, headers, body } = await ask('/a/large');
      expect(status).to.equal(200);
      expect(headers).to.include({
        'content-type': 'video/mp4',
        'cache-control': 'public, max-age=60',
        'accept-ranges': 'bytes',
        'content-length': String(total),
      });
      expect(headers['last-modified']).to.be.a('string');
      expect(body.equals(Buffer.alloc(total, 'abcdefgh'))).to.equal(true);
      await counted(total);
    });

    it('206: sends a range', async () => {
      for (const [range, contentRange, bytes] of [
        ['bytes=2-4', 'bytes 2-4/10', '234'],
        ['bytes=7-', 'bytes 7-9/10', '789'],
        ['bytes=-2', 'bytes 8-9/10', '89'],
        ['bytes=-1000', 'bytes 0-9/10', '0123456789'],
        ['bytes=0-1000', 'bytes 0-9/10', '0123456789'],
      ] as const) {
        sent.length = 0;
        const { status, headers, body } = await ask('/a/small', { range });
        expect([status, headers['content-range'], body.toString()]).to.deep.equal([206, contentRange, bytes]);
        await counted(bytes.length);
      }
    });

    it('200: sends the complete file if the range is not supported', async () => {
      for (const range of ['bytes=1-2,4-5', 'lines=1-2', 'bytes=b-a'])
        expect((await ask('/a/small', { range })).status, range).to.equal(200);
    });

    it('throws RangeNotSatisfiableError for a range beyond the end, and NotFoundError for a missing file', async () => {
      await ask('/a/small', { range: 'bytes=10-' });
      expect(thrown[0]).to.be.instanceOf(RangeNotSatisfiableError).and.include({ totalBytes: 10 });
      await ask('/a/small', { range: 'bytes=-0' });
      expect(thrown[1]).to.be.instanceOf(RangeNotSatisfiableError).and.include({ totalBytes: 10 });
      await ask('/a/none');
      expect(thrown[2]).to.be.instanceOf(NotFoundError);
    });

    it('returns 304 if the client has the file', async () => {
      const { headers } = await ask('/a/small');
      await eventually(() => expect(sent).to.deep.equal([10]));
      sent.length = 0;
      expect((await ask('/a/small', { 'if-none-match': headers.etag ?? '' })).status).to.equal(304);
      await counted(0);
      expect((await ask('/a/small', { 'if-none-match': '"another"' })).status).to.equal(200);
      expect((await ask('/a/small', { 'if-modified-since': headers['last-modified'] ?? '' })).status).to.equal(304);
      expect((await ask('/a/small', { 'if-match': '"another"' })).status).to.equal(412);
    });

    it('sends a range only of the same version of the file', async () => {
      const { headers } = await ask('/a/small');
      expect((await ask('/a/small', { range: 'bytes=1-2', 'if-range': headers.etag ?? '' })).status).to.equal(206);
      expect((await ask('/a/small', { range: 'bytes=1-2', 'if-range': '"another"' })).status).to.equal(200);
    });

    it('200: sends only headers for HEAD, and an empty file', async () => {
      const { status, headers, body } = await ask('/a/large', {}, 'HEAD');
      expect([status, headers['content-length'], body.length]).to.deep.equal([200, String(total), 0]);
      await counted(0);
      const empty = await ask('/a/empty');
      expect([empty.status, empty.body.length]).to.deep.equal([200, 0]);
    });

    it('counts only the bytes sent when the client disconnects', async () => {
      const response = await new Promise<IncomingMessage>((resolve) =>
        httpGet(`${url}/a/large`, { agent: false }, resolve),
      );
      await once(response, 'data');
      response.pause();
      response.destroy();
      await eventually(() => expect(sent).to.have.length(1));
      expect(sent[0]).to.be.above(0).and.below(total);
    });
  });
}
