import { registerUser, type TestApi, type TestResponse, type TestUser } from '../../support/api.js';
import type { TestContext } from '../../support/context.js';
import { sharedService } from '../../support/service.js';

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

/** Of the service of this process, or of one that the test opens and closes itself. */
export async function openBox(service?: { readonly ctx: TestContext; readonly api: TestApi }): Promise<BoxFixture> {
  const { ctx, api } = service ?? (await sharedService());
  const [user, other] = await Promise.all([registerUser(api), registerUser(api)]);
  return {
    ctx,
    api,
    user,
    other,
    call: (method, path, body, as = user, headers = {}) =>
      api.call(method, path, { token: as.token, headers, ...(body === undefined ? {} : { body }) }),
  };
}
