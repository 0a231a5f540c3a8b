import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { ContextParts } from '../../../shared/platform/contextParts.js';
import { User } from '../../../shared/user/user.model.js';
import { askToken, publicToken, registerUser, startApi } from '../../support/api.js';
import { openTestContext } from '../../support/context.js';
import { rawRequest } from '../../support/rawRequest.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { eventually } from '../../support/eventually.js';

describe('the request pipeline', () => {
  const { ctx, api } = serviceFixture();
  const user = useFixture(() => registerUser(api));
  afterEach(() => sinon.restore());

  describe('for paths', () => {
    it('ignores a trailing slash', async () => {
      expect((await api.call('GET', '/api/user/me/', { token: user.token })).status).to.equal(200);
      expect((await askToken(api, { grant_type: 'client_credentials' })).status).to.equal(200);
    });

    it('returns 404 for an unknown path after the authentication of its prefix', async () => {
      for (const [path, token, status] of [
        ['/api/nothing', undefined, 401],
        ['/api/nothing', 'garbage', 401],
        ['/api/nothing', await publicToken(api), 403],
        ['/api/nothing', user.token, 404],
        ['/api/public/nothing', undefined, 401],
        ['/api/public/nothing', await publicToken(api), 404],
        ['/rest/nothing', undefined, 401],
        ['/oauth/nothing', undefined, 401],
        ['/nothing', undefined, 404],
        ['/api', undefined, 404],
      ] as const) {
        const response = await api.call('GET', path, token === undefined ? {} : { token });
        expect(response.status, path).to.equal(status);
        expect(response.headers.get('content-type'), path).to.equal('application/json;charset=UTF-8');
      }
    });

    it('never treats a spelling of a private path as public', async () => {
      for (const path of [
        ...['/API/user/me', '/api/USER/me', '//api/user/me', '/api//user/me', '/api/public/../user/me'],
        ...['/api/public/%2e%2e/user/me', '/api/public/..%2fuser/me', '/api%2fuser/me', '/%61pi/user/me'],
        ...['/api/user/me;x=1', '/./api/user/me', '/api/public//../../api/user/me'],
        'http://127.0.0.1/api/user/me',
      ]) {
        const bare = await rawRequest(api, { method: 'GET', path });
        expect([400, 401, 404], path).to.include(bare.status);
        const withPublic = await rawRequest(api, {
          method: 'GET',
          path,
          headers: ['authorization', `Bearer ${await publicToken(api)}`],
        });
        expect([400, 403, 404], path).to.include(withPublic.status);
        expect(bare.text + withPublic.text, path).not.to.include('profile');
      }
    });

    it('returns an error in JSON for an invalid escape in a path', async () => {
      const { status, text } = await rawRequest(api, {
        method: 'GET',
        path: '/api/public/user/%E0%A4%A/overview',
        headers: ['authorization', `Bearer ${user.token}`],
      });
      expect(status).to.equal(400);
      expect(JSON.parse(text)).to.include({ status: 400, error: 'Bad Request' });
    });

    it('names a path without an operation in exception and message, in contrast to an unknown id', async () => {
      const unknownId = `/api/vod/${randomUUID()}`;
      for (const [path, exception] of [
        ['/api/vods', 'UnknownPathException'],
        ['/nowhere', 'UnknownPathException'],
        [unknownId, 'NotFoundException'],
        ['/api/vod/x', 'NotFoundException'],
      ] as const) {
        const { status, body } = await api.call('GET', path, { token: user.token });
        expect([status, body.exception], path).to.deep.equal([404, exception]);
        expect(body.message.includes('/docs'), path).to.equal(exception === 'UnknownPathException');
      }
    });

    it('returns 405 with the permitted methods for any other method', async () => {
      for (const [method, path, allow] of [
        ['DELETE', '/api/user/me', 'GET, HEAD, POST, OPTIONS'],
        ['PUT', '/api/user/me/disable', 'POST, OPTIONS'],
      ] as const) {
        const response = await api.call(method, path, { token: user.token });
        expect([response.status, response.headers.get('allow')]).to.deep.equal([405, allow]);
        expect(response.body).to.include({
          exception: 'MethodNotAllowedException',
          message: `This URL does not support the method ${method}. Supported: ${allow}.`,
        });
      }
    });

    it('responds to HEAD as to GET, without a body', async () => {
      const response = await api.call('HEAD', '/api/user/me', { token: user.token });
      expect([response.status, response.text]).to.deep.equal([200, '']);
      expect(Number(response.headers.get('content-length'))).to.be.above(100);
    });
  });

  it('returns JSON for any Accept header', async () => {
    for (const accept of ['text/html', 'application/xml', 'nonsense', 'image/*;q=0']) {
      const response = await api.call('GET', '/api/user/me', { token: user.token, headers: { accept } });
      expect(response.headers.get('content-type')).to.equal('application/json;charset=UTF-8');
    }
  });

  it('prevents caching of private responses, and never names the server software', async () => {
    const { headers } = await api.call('GET', '/api/user/me', { token: user.token });
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(headers.get('x-frame-options')).to.equal('DENY');
    expect(headers.get('x-powered-by')).to.equal(null);
    expect(headers.get('server')).to.equal(null);
  });

  describe('for cross-origin requests', () => {
    for (const path of ['/oauth/token', '/api/user/me', '/api/public/user/register'])
      it(`answers preflights for ${path} without a token`, async () => {
        const { status, headers, text } = await api.call('OPTIONS', path, {
          headers: {
            origin: 'https://app.example.org',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization,x-service-timezone,content-type',
          },
        });
        expect([status, text]).to.deep.equal([204, '']);
        expect(headers.get('access-control-allow-origin')).to.equal('*');
        expect(headers.get('access-control-allow-methods')).to.include('DELETE');
        expect(headers.get('access-control-allow-headers')).to.equal('authorization,x-service-timezone,content-type');
      });

    it('makes responses, errors and the headers with the reason readable', async () => {
      const { headers } = await api.call('GET', '/api/user/me', { headers: { origin: 'https://app.example.org' } });
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('access-control-allow-credentials')).to.equal(null);
      for (const name of ['WWW-Authenticate', 'Retry-After', 'Content-Range'])
        expect(headers.get('access-control-expose-headers')).to.include(name);
    });
  });

  describe('for internal errors', () => {
    it('returns a generic message in the caller’s language', async () => {
      sinon.stub(ctx.db.model(User), 'findByPk').rejects(new Error('secret detail'));
      const response = await api.call('GET', '/api/user/me', {
        token: user.token,
        headers: { 'accept-language': 'pt' },
      });
      expect(response.status).to.equal(500);
      expect(response.body).to.deep.equal({
        timestamp: ctx.clock.now().getTime(),
        status: 500,
        error: 'Internal Server Error',
        exception: 'InternalErrorException',
        message: 'Ocorreu um erro interno.',
        path: '/api/user/me',
      });
    });

    it('omits the query from the path in an error', async () => {
      const response = await api.call('GET', `/api/nothing?access_token=${user.token}&x=1`);
      expect([response.status, response.body.path]).to.deep.equal([404, '/api/nothing']);
    });
  });

  it('returns 503 in JSON with Retry-After while the database is down', async () => {
    // A token that was never used, because valid tokens are cached for a short time.
    const { token } = await registerUser(api);
    const unreachable = () => Promise.reject(connectionRefused());
    const awayApi = await startApi({
      ...ctx,
      db: { ...ctx.db, rows: unreachable, prepared: unreachable },
      parts: new ContextParts(),
    });
    try {
      for (const response of [
        await awayApi.call('GET', '/api/user/me', { token }),
        await askToken(awayApi, { grant_type: 'password', username: 'user', password: 'password' }),
      ])
        expect([response.status, response.body.exception, response.headers.get('retry-after')]).to.deep.equal([
          503,
          'UnavailableException',
          '5',
        ]);
    } finally {
      await awayApi.close();
    }
  });
});

/** The driver's error for an unreachable server. */
function connectionRefused(): Error {
  return Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
    name: 'SequelizeConnectionRefusedError',
    parent: { code: 'ECONNREFUSED' },
  });
}

describe('the service under a base path', () => {
  it('serves all paths below it, and no others', async () => {
    const ctx = await openTestContext({ BASE_PATH: '/platform/v', SERVICE_NAME: 'Acme' });
    const api = await startApi(ctx);
    try {
      const user = await registerUser(api);
      expect((await api.call('GET', '/api/user/me', { token: user.token })).status).to.equal(200);
      expect((await askToken(api, { grant_type: 'client_credentials' }, 'Basic x')).body.path).to.equal(
        '/platform/v/oauth/token',
      );
      const { origin } = new URL(api.url);
      for (const path of ['/api/user/me', '/oauth/token', '/platform/api/user/me', '/PLATFORM/v/api/user/me']) {
        const outside = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${user.token}` } });
        expect([outside.status, ((await outside.json()) as { exception: string }).exception], path).to.deep.equal([
          404,
          'UnknownPathException',
        ]);
      }
    } finally {
      await api.close();
      await ctx.close();
    }
  });
});

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
