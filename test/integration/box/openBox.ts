import { registerUser, type TestResponse, type TestUser } from '../../support/api.js';
import { useFixture, serviceFixture, type SharedService } from '../../support/fixtures.js';

export type BoxFixture = ReturnType<typeof boxFixture>;

/** Two users of the shared service, or of the service that the test passes. */
export function boxFixture({ ctx, api }: SharedService = serviceFixture()) {
  const [user, other] = [useFixture(() => registerUser(api)), useFixture(() => registerUser(api))];
  /** Calls the API as `user` unless the test names another user. */
  const call = (
    method: string,
    path: string,
    body?: unknown,
    as: TestUser = user,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse> =>
    api.call(method, path, { token: as.token, headers, ...(body === undefined ? {} : { body }) });
  return { ctx, api, user, other, call };
}
