import { expect } from 'chai';
import type { TestResponse, TestUser } from '../../support/api.js';
import { seedBoxItem, type SeedOptions } from '../../support/contents.js';
import { newBundle, type BundleFixture } from './bundles.js';

/** Resolves with the id of a new box item, by default of the publisher. */
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

/** A new bundle of the publisher with three of four box items. */
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

/** Requests of the owner of a bundle. */
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
    /** Positions and box items of the rows. */
    rows: () =>
      fixture.ctx.db.rows<{ place: number; boxId: string }>(
        `SELECT bundle_position AS place, box_item_id AS box_id FROM vod_items
          WHERE bundle_id = $bundleId ORDER BY bundle_position`,
        { bundleId },
      ),
  };
}

/** Box ids of a response, in order. */
export function orderIn({ body }: TestResponse): string[] {
  return body.items.map(({ boxId }: { boxId: string }) => boxId);
}
