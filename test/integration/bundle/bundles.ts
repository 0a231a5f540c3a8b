import { expect } from 'chai';
import {
  publicToken,
  registerUser,
  type TestResponse,
  type TestApi,
  type TestUser,
  registerSeller,
} from '../../support/api.js';
import { seedBoxItem, type SeedOptions } from '../../support/rows.js';
import { useFixture, serviceFixture } from '../../support/fixtures.js';
import { back, payInSandbox } from '../../support/payments.js';

/** A valid bundle. Tests of 400 change one member of it. */
export const aBundle = { name: 'Winter videos', price: '12,50', duration: 1, durationUnit: 'MONTHS' } as const;

export type BundleFixture = ReturnType<typeof bundlesFixture>;

/** A publisher who may sell, a viewer, and a public token. Without settings: in the shared service of the test process. */
export function bundlesFixture(overrides?: Record<string, string>) {
  const { ctx, api } = serviceFixture(overrides);
  const [publisher, viewer] = [useFixture(() => registerSeller(api)), useFixture(() => registerUser(api))];
  return { ctx, api, publisher, viewer, anybody: useFixture(async () => ({ token: await publicToken(api) })) };
}

export function createBundle(api: TestApi, token: string, members: object = {}): Promise<TestResponse> {
  return api.call('POST', '/api/contentbundle', { token, body: { ...aBundle, ...members } });
}

/** Resolves with the id of the created bundle. */
export async function newBundle(api: TestApi, owner: TestUser, members: object = {}): Promise<string> {
  const { status, text, body } = await createBundle(api, owner.token, members);
  expect(status, text).to.equal(201);
  return body.bundleId as string;
}

export function startSubscription(api: TestApi, token: string, bundleId: string, body: object = back) {
  return api.call('POST', `/api/contentbundle/${bundleId}/subscribe`, { token, body });
}

export function activate(api: TestApi, token: string, bundleId: string, trackingId: unknown): Promise<TestResponse> {
  return api.call('POST', `/api/contentbundle/${bundleId}/activate`, { token, body: { trackingId } });
}

/** Subscribes, pays and activates. Resolves with the tracking id. */
export async function subscribed(api: TestApi, token: string, bundleId: string): Promise<string> {
  const { status, text, body } = await startSubscription(api, token, bundleId);
  expect(status, text).to.equal(200);
  await payInSandbox(api.ctx, body.trackingId);
  const activated = await activate(api, token, bundleId, body.trackingId);
  expect(activated.status, activated.text).to.equal(200);
  return body.trackingId;
}

/** A date as responses contain it, in UTC. */
export function wireDate(moment: Date): string {
  return moment.toISOString().slice(0, 10).split('-').toReversed().join('/');
}

/** Resolves with the id of the created box item, which the publisher owns unless `ownerId` is given. */
export async function newBox(
  { ctx, publisher }: BundleFixture,
  title: string,
  options: SeedOptions = {},
  ownerId = publisher.userId,
): Promise<string> {
  return (await seedBoxItem(ctx, ownerId, { title, ...options })).boxId;
}

export interface FilledBundle {
  readonly bundleId: string;
  readonly bundle: ReturnType<typeof editsOf>;
  /** Box items of the publisher; the first three are in the bundle. */
  readonly boxIds: readonly [string, string, string, string];
}

/** A new bundle that contains three of the publisher's four box items. */
export async function filledBundle(fixture: BundleFixture): Promise<FilledBundle> {
  const bundleId = await newBundle(fixture.api, fixture.publisher);
  const bundle = editsOf(fixture, bundleId);
  const boxIds = [
    await newBox(fixture, 'A'),
    await newBox(fixture, 'B'),
    await newBox(fixture, 'C'),
    await newBox(fixture, 'D'),
  ] as const;
  expect((await bundle.insert(0, boxIds.slice(0, 3))).status).to.equal(200);
  return { bundleId, bundle, boxIds };
}

/** Requests of the bundle's owner. */
export function editsOf(fixture: BundleFixture, bundleId: string, owner: TestUser = fixture.publisher) {
  const edit = (action: string, body: object, token = owner.token): Promise<TestResponse> =>
    fixture.api.call('POST', `/api/contentbundle/${bundleId}/items/${action}`, { token, body });
  return {
    edit,
    insert: (index: number, boxIds: readonly string[]) =>
      edit('insert', { index, sourceItems: boxIds.map((boxId) => ({ boxId })) }),
    move: (fromIndex: number, toIndex: number) => edit('move', { fromIndex, toIndex }),
    remove: (index: number, count: number) => edit('remove', { index, count }),
    items: (token = owner.token) => fixture.api.call('GET', `/api/contentbundle/${bundleId}/items`, { token }),
    publicItems: () =>
      fixture.api.call('GET', `/api/public/contentbundle/${bundleId}/items`, { token: fixture.anybody.token }),
    /** Positions and box items, read from the rows. */
    rows: () =>
      fixture.ctx.db.rows<{ place: number; boxId: string }>(
        `SELECT bundle_position AS place, box_item_id AS box_id FROM vod_items
          WHERE bundle_id = $bundleId ORDER BY bundle_position`,
        { bundleId },
      ),
  };
}

/** Box ids of a response in their order. */
export function orderIn({ body }: TestResponse): string[] {
  return body.items.map(({ boxId }: { boxId: string }) => boxId);
}
