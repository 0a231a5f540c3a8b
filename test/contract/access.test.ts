import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { accessOf, type AccessRule } from '../../api/http/access.js';
import type { Route } from '../../api/http/route.js';
import { routes } from '../../api/routes.js';
import { basic, publicToken, registerUser, type TestResponse } from '../support/api.js';
import { serviceFixture } from '../support/fixtures.js';

/** A path of the route with ids that do not exist. */
function samplePath(route: Route): string {
  return route.path.replace(/[:*]\w+/g, () => randomUUID());
}

describe('every route with every kind of token', () => {
  const { ctx, api } = serviceFixture({});
  let expired: string;
  let publicAccessToken: string;
  let userAccessToken: string;

  before(async () => {
    expired = (await registerUser(api)).token;
    ctx.clock.advance(43_200_001);
    publicAccessToken = await publicToken(api);
    userAccessToken = (await registerUser(api)).token;
  });

  const call = (
    route: Route,
    options: { token?: string; headers?: Record<string, string>; query?: string } = {},
  ): Promise<TestResponse> => api.call(route.method.toUpperCase(), samplePath(route) + (options.query ?? ''), options);

  function expectError(response: TestResponse, status: number, error: string, access: AccessRule): void {
    expect(response.status).to.equal(status);
    if (response.body !== undefined)
      expect(response.body).to.have.keys(
        ...['error', 'error_description', ...(error === 'invalid_token' ? [] : ['message'])],
      );
    expect(response.body?.error).to.be.oneOf([error, undefined]);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('content-type')).to.equal('application/json;charset=UTF-8');
    const challenge = response.headers.get('www-authenticate');
    const challenged = status === 401 ? error : 'insufficient_scope';
    expect(challenge).to.match(
      new RegExp(`^Bearer realm="oauth2-resource", error="${challenged}", error_description="`),
    );
    expect(challenge).to.include(`", required_token="${access === 'user' ? 'user' : 'any'}"`);
  }

  /** Authorized: the response may have any status except those of authorization errors. */
  function expectAuthenticated({ status, body }: TestResponse): void {
    expect([401, 405, 500]).not.to.include(status);
    if (status === 403) expect(body?.error).not.to.equal('access_denied');
  }

  for (const route of routes) {
    const access = accessOf(route.path);
    const name = `${route.method.toUpperCase()} ${route.path}`;

    if (access === 'public' || access === 'user') {
      it(`rejects a missing, malformed or expired token, Basic credentials, and a malformed token in the query: ${name}`, async () => {
        expectError(await call(route), 401, 'unauthorized', access);
        expectError(await call(route, { headers: { authorization: basic(api) } }), 401, 'unauthorized', access);
        expectError(await call(route, { token: 'garbage' }), 401, 'invalid_token', access);
        expectError(await call(route, { query: '?access_token=garbage' }), 401, 'invalid_token', access);
        expectError(await call(route, { token: expired }), 401, 'invalid_token', access);
        expectError(await call(route, { query: `?access_token=${expired}` }), 401, 'invalid_token', access);
      });
    }
    if (access === 'user') {
      it(`rejects a public token with 403, in the header and in the query: ${name}`, async () => {
        expectError(await call(route, { token: publicAccessToken }), 403, 'access_denied', access);
        expectError(await call(route, { query: `?access_token=${publicAccessToken}` }), 403, 'access_denied', access);
      });
      // This route would revoke the token that the other tests need.
      if (!route.path.endsWith('/disable')) {
        it(`accepts a user’s token in the header and in the query: ${name}`, async () => {
          expectAuthenticated(await call(route, { token: userAccessToken }));
          expectAuthenticated(await call(route, { query: `?access_token=${userAccessToken}` }));
        });
      }
    }
    if (access === 'public') {
      it(`accepts public and user tokens: ${name}`, async () => {
        expectAuthenticated(await call(route, { token: publicAccessToken }));
        expectAuthenticated(await call(route, { token: userAccessToken }));
        expectAuthenticated(
          await call(route, { query: `?access_token=${publicAccessToken}`, headers: { authorization: basic(api) } }),
        );
      });
    }
    if (access === 'client' || access === 'integration') {
      it(`rejects everything except its own credentials: ${name}`, async () => {
        for (const headers of [
          {},
          { authorization: `Bearer ${userAccessToken}` },
          { authorization: basic(api, 'web', 'wrong') },
        ]) {
          const response = await call(route, { headers });
          expect(response.status).to.equal(401);
          expect(response.headers.get('www-authenticate')).to.match(/^Basic realm=/);
        }
      });
    }
  }
});
