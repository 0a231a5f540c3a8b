import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Response } from 'express';
import type { RequestOf } from '../../../api/http/route.js';
import { sendTexts } from '../../../api/http/sendTexts.js';
import { eventually } from '../../support/eventually.js';
import { rejection } from '../../support/rejection.js';

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
