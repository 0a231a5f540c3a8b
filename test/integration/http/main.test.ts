import { once } from 'node:events';
import { createServer, connect } from 'node:net';
import { expect } from 'chai';
import { openTestContext } from '../../support/context.js';
import { eventually, rejection } from '../../support/eventually.js';
import { freePort, startBuilt } from '../../support/deployment.js';
import { useFixture } from '../../support/fixtures.js';

describe('the web process', () => {
  const ctx = useFixture(openTestContext);

  async function failure(env: Record<string, string>): Promise<string> {
    const error = await rejection(startBuilt('web', env).then((child) => child.end('SIGKILL')));
    return error.message;
  }

  it('serves requests, logs no secret, and completes the current request after SIGTERM', async () => {
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

  it('prints why it does not start, without a stack: all invalid settings, or a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const settings = { PORT: 'many', LOG_LEVEL: 'loud', ENCRYPTION_KEY: '' };
    try {
      const [inUse, invalid] = await Promise.all([
        failure({ ...ctx.env, PORT: String(port) }),
        failure({ ...ctx.env, ...settings }),
      ]);
      expect(inUse).to.include(`Port ${port} is in use`);
      for (const name of Object.keys(settings)) expect(invalid).to.include(name);
      expect(inUse + invalid).not.to.include('    at ');
    } finally {
      taken.close();
    }
  });
});
