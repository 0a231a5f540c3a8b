import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { registerUser, type TestApi, type TestUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { sharedService } from '../../support/service.js';

describe('Rejection before the body', () => {
  let api: TestApi;
  let user: TestUser;

  before(async () => {
    ({ api } = await sharedService());
    user = await registerUser(api);
  });

  /** The response to headers only, without a body. */
  async function answerTo(head: readonly string[]): Promise<string> {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    let heard = '';
    socket.on('data', (data) => (heard += data.toString())).on('error', () => {});
    await once(socket, 'connect');
    socket.write(`${[...head, `Host: ${hostname}`].join('\r\n')}\r\n\r\n`);
    try {
      return await eventually(() => {
        if (!heard.includes('\r\n\r\n')) throw new Error('no answer yet');
        return heard;
      });
    } finally {
      socket.destroy();
    }
  }

  it('an unauthorized caller is rejected before any byte of a large upload is read', async () => {
    const heard = await answerTo([
      'POST /api/box HTTP/1.1',
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 10000000000',
    ]);
    expect(heard).to.match(/^HTTP\/1\.1 401 /);
  });

  it('a caller who sends Expect: 100-continue gets the error instead, or 100 when authorized', async () => {
    const head = ['POST /api/user/me HTTP/1.1', 'Content-Length: 200', 'Expect: 100-continue'];
    expect(await answerTo(head)).to.match(/^HTTP\/1\.1 401 /);
    expect(await answerTo([...head, `Authorization: Bearer ${user.token}`])).to.match(/^HTTP\/1\.1 100 Continue/);
  });
});
