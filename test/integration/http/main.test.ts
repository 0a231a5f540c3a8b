import { once } from 'node:events';
import { createServer, connect } from 'node:net';
import { expect } from 'chai';
import { openTestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { freePort, startBuilt } from '../../support/processes.js';
import { useFixture } from '../../support/fixtures.js';

describe('The web process', () => {
  const ctx = useFixture(openTestContext);

  async function failure(env: Record<string, string>): Promise<string> {
    try {
      const child = await startBuilt('web', env);
      await child.end('SIGKILL');
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('it started');
  }

  it('serves requests, logs no secret, and at SIGTERM completes the current request and ends', async () => {
    const port = await freePort();
    const child = await startBuilt('web', { ...ctx.env, PORT: String(port), LOG_LEVEL: 'trace' });
    try {
      const url = `http://127.0.0.1:${port}`;
      const authorization = `Basic ${Buffer.from('web:web-client-secret').toString('base64')}`;
      const issued = await fetch(`${url}/oauth/token`, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      const { access_token: token } = (await issued.json()) as { access_token: string };
      await fetch(`${url}/api/public/user/nobody/overview?access_token=${token}`);
      await fetch(`${url}/api/public/user/register?access_token=${token}`, {
        method: 'POST',
        body: '{"password":"hunter2 hunter2","broken',
      });
      await fetch(`${url}/oauth/token`, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ grant_type: 'password', username: 'nobody', password: 'hunter2 hunter2' }),
      });

      const socket = connect(port, '127.0.0.1');
      let received = '';
      socket.on('data', (data) => (received += data.toString()));
      await once(socket, 'connect');
      const body = JSON.stringify({});
      socket.write(
        `POST /api/public/user/register HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      await eventually(() => expect(child.output()).to.include('/oauth/token'));
      const ended = child.end('SIGTERM');
      await eventually(() => expect(child.output()).to.include('stopping'));
      socket.write(body);
      expect(await ended).to.equal(0);
      expect(received).to.match(/^HTTP\/1\.1 400 /);
      expect(received).to.include('ValidationException');
      socket.destroy();

      expect(child.output()).to.include('"path":"/api/public/user/nobody/overview"');
      for (const secret of [token, 'web-client-secret', authorization.slice(6), 'hunter2'])
        expect(child.output()).not.to.include(secret);
    } finally {
      await child.end('SIGKILL');
    }
  });

  it('logs in one line that its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    try {
      const message = await failure({ ...ctx.env, PORT: String(port) });
      expect(message).to.include(`Port ${port} is taken`);
      expect(message).not.to.include('    at ');
    } finally {
      taken.close();
    }
  });

  it('lists all invalid settings, without a stack', async () => {
    const message = await failure({ ...ctx.env, PORT: 'many', LOG_LEVEL: 'loud', ENCRYPTION_KEY: '' });
    for (const name of ['PORT', 'LOG_LEVEL', 'ENCRYPTION_KEY']) expect(message).to.include(name);
    expect(message).not.to.include('    at ');
  });
});
