import { registerUser, type TestApi, type TestResponse, type TestUser } from '../../support/api.js';
import type { TestContext } from '../../support/context.js';
import { useFixture } from '../../support/fixtures.js';
import { serviceFixture, type SharedService } from '../../support/service.js';

/** A service with two users, for tests of box items. */
export interface BoxFixture {
  readonly ctx: TestContext;
  readonly api: TestApi;
  readonly user: TestUser;
  readonly other: TestUser;
  /** Calls the API as `user`, or as another user. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    as?: TestUser,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TestResponse>;
}

/** Of the service of this process, or of another that the test has. */
export function boxFixture({ ctx, api }: SharedService = serviceFixture()): BoxFixture {
  const [user, other] = [useFixture(() => registerUser(api)), useFixture(() => registerUser(api))];
  const call: BoxFixture['call'] = (method, path, body, as = user, headers = {}) =>
    api.call(method, path, { token: as.token, headers, ...(body === undefined ? {} : { body }) });
  return { ctx, api, user, other, call };
}
