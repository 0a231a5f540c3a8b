import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { serviceFixture } from '../../support/service.js';
import { useFixture } from '../../support/fixtures.js';

describe('rejection before the body', () => {
  const { api } = serviceFixture();
  const user = useFixture(() => registerUser(api));

  /** The response to headers without a body. */
  async function responseTo(head: readonly string[]): Promise<string> {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (data) => (received += data.toString())).on('error', () => {});
    await once(socket, 'connect');
    socket.write(`${[...head, `Host: ${hostname}`].join('\r\n')}\r\n\r\n`);
    try {
      return await eventually(() => {
        if (!received.includes('\r\n\r\n')) throw new Error('no response yet');
        return received;
      });
    } finally {
      socket.destroy();
    }
  }

  it('rejects an unauthorized caller before reading any byte of a large upload', async () => {
    const received = await responseTo([
      'POST /api/box HTTP/1.1',
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 10000000000',
    ]);
    expect(received).to.match(/^HTTP\/1\.1 401 /);
  });

  it('sends an error instead of 100 Continue to an unauthorized caller', async () => {
    const head = ['POST /api/user/me HTTP/1.1', 'Content-Length: 200', 'Expect: 100-continue'];
    expect(await responseTo(head)).to.match(/^HTTP\/1\.1 401 /);
    expect(await responseTo([...head, `Authorization: Bearer ${user.token}`])).to.match(/^HTTP\/1\.1 100 Continue/);
  });
});
