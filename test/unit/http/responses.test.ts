import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Response } from 'express';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { RequestOf } from '../../../api/http/route.js';
import { sendTexts } from '../../../api/http/sendTexts.js';
import { removeUnusedSocket } from '../../../api/http/unusedSocket.js';
import { verifyWebhook, WebhookSignatureError } from '../../../client/index.js';
import { newWebhookSecret, webhookSignature } from '../../../shared/webhook/signature.js';
import { eventually, rejection } from '../../support/eventually.js';

describe('sendTexts', () => {
  let server: Server;
  let parts: () => AsyncGenerator<string>;
  /** The errors that `sendTexts` has thrown. */
  let thrown: Error[];

  beforeEach(async () => {
    thrown = [];
    server = createServer((request, response) => {
      const left = new AbortController();
      response.once('close', () => left.abort());
      const call = { response: Object.assign(response, { req: request }) as unknown as Response, signal: left.signal };
      sendTexts(call as RequestOf<unknown, unknown, unknown>, parts()).catch((error: Error) => {
        thrown.push(error);
        // Like the error handler.
        if (response.headersSent) response.destroy();
        else response.writeHead(503).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function ask(method = 'GET'): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo;
    const sent = httpRequest({ host: '127.0.0.1', port, method }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }
  async function textOf(response: IncomingMessage): Promise<string> {
    let text = '';
    for await (const part of response) text += String(part);
    return text;
  }

  it('sends all texts as one body', async () => {
    parts = async function* () {
      yield '[1';
      yield ',2]';
    };
    const response = await ask();
    expect(response.statusCode).to.equal(200);
    expect(response.headers['content-type']).to.equal('application/json;charset=UTF-8');
    expect(await textOf(response)).to.equal('[1,2]');
  });

  it('responds with the error’s status if a failure precedes the first part', async () => {
    // oxlint-disable-next-line require-yield -- it fails before
    parts = async function* () {
      throw new Error('away');
    };
    expect((await ask()).statusCode).to.equal(503);
  });

  it('resets the connection if a failure follows the first part', async () => {
    let fail = (): void => {};
    const begun = new Promise<void>((resolve) => (fail = resolve));
    parts = async function* () {
      yield '[1]';
      await begun;
      throw new Error('away');
    };
    const response = await ask();
    fail();
    expect(response.statusCode).to.equal(200);
    expect(await rejection(textOf(response))).to.have.property('code', 'ECONNRESET');
    expect(thrown.map(({ message }) => message)).to.deep.equal(['away']);
  });

  it('generates only as much as a slow client reads, and stops when the client disconnects', async () => {
    let made = 0;
    let isOver = false;
    parts = async function* () {
      try {
        for (;;) {
          made += 1;
          yield 'x'.repeat(100_000);
        }
      } finally {
        isOver = true;
      }
    };
    const response = await ask();
    response.pause();
    let before = -1;
    await eventually(
      () => {
        const isGrowing = made > before;
        before = made;
        expect(isGrowing, `${made} parts`).to.equal(false);
      },
      { everyMs: 100 },
    );
    expect(made * 100_000, 'the buffers of the connection').to.be.below(20_000_000);
    response.destroy();
    await eventually(() => expect(isOver).to.equal(true));
    expect(thrown).to.deep.equal([]);
  });

  it('generates only the first part for HEAD', async () => {
    let made = 0;
    parts = async function* () {
      while (made < 10) {
        made += 1;
        yield 'x';
      }
    };
    expect(await textOf(await ask('HEAD'))).to.equal('');
    expect(made).to.equal(1);
  });
});

describe('The socket of a web process', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'socket-'));
    path = join(folder, 'http.sock');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const isThere = (): Promise<boolean> =>
    lstat(path).then(
      () => true,
      () => false,
    );

  it('is removed if a killed process has left it behind', async () => {
    const listen = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`;
    const killed = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'close');
    expect(await isThere()).to.equal(true);
    await removeUnusedSocket(path);
    expect(await isThere()).to.equal(false);
    await removeUnusedSocket(path);
  });

  it('is kept if a process listens on it or if the file is not a socket', async () => {
    const server = createSocketServer();
    server.listen(path);
    await once(server, 'listening');
    await removeUnusedSocket(path);
    expect(await isThere()).to.equal(true);
    server.close();
    await once(server, 'close');
    await writeFile(path, '');
    await removeUnusedSocket(path);
    expect(await isThere()).to.equal(true);
  });
});

describe('the webhook verification of the client', () => {
  const secret = newWebhookSecret();
  const id = 'f3a1c9d2-7d0e-4b39-8b52-0d2f0b6a7c11';
  const body = JSON.stringify({ id, type: 'webhook.test', version: 1, data: { webhookId: id } });
  const now = 1_700_000_000_000;
  const timestamp = String(now / 1000);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': new StandardWebhook(secret).sign(id, new Date(now), body),
  };

  it('accepts signatures of the Standard Webhooks package and of the service with either secret', async () => {
    expect(await verifyWebhook({ secret, headers, body, now })).to.deep.equal(JSON.parse(body));
    expect(await verifyWebhook({ secret, headers: new Headers(headers), body, now })).to.have.property('id', id);
    const signature = webhookSignature([newWebhookSecret(), secret], { id, timestamp: now / 1000, body });
    const rotated = { ...headers, 'webhook-signature': signature };
    expect(await verifyWebhook({ secret, headers: rotated, body, now })).to.have.property('id', id);
  });

  const wrong: readonly (readonly [string, Partial<Parameters<typeof verifyWebhook>[0]>])[] = [
    ['another body', { body: body.replace('test', 'best') }],
    ['another secret', { secret: newWebhookSecret() }],
    ['a secret that is not Base64', { secret: 'whsec_%' }],
    ['another id', { headers: { ...headers, 'webhook-id': 'other' } }],
    ['an old request', { now: now + 301_000 }],
    ['a request with a future timestamp', { now: now - 301_000 }],
    ['an invalid timestamp', { headers: { ...headers, 'webhook-timestamp': 'soon' } }],
    ['no signature', { headers: { ...headers, 'webhook-signature': '' } }],
    ['a signature of another version', { headers: { ...headers, 'webhook-signature': 'v2,AAAA' } }],
    ['a signature that is not Base64', { headers: { ...headers, 'webhook-signature': 'v1,%%' } }],
  ];
  for (const [name, given] of wrong)
    it(`rejects ${name}`, async () => {
      const error = await rejection(verifyWebhook({ secret, headers, body, now, ...given }));
      expect(error).to.be.instanceOf(WebhookSignatureError);
    });
});
