import { expect } from 'chai';
import type { TestResponse, TestUser } from '../../support/api.js';
import { seedBoxItem, type SeedOptions } from '../../support/contents.js';
import { newBundle, type Stage } from './bundles.js';

/** Resolves with the id of a new box item, by default of the publisher. */
export async function newBox(
  { ctx, publisher }: Stage,
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
export async function filledBundle(stage: Stage): Promise<FilledBundle> {
  const bundleId = await newBundle(stage.api, stage.publisher);
  const bundle = editsOf(stage, bundleId);
  const boxIds = [
    await newBox(stage, 'A'),
    await newBox(stage, 'B'),
    await newBox(stage, 'C'),
    await newBox(stage, 'D'),
  ] as const;
  expect((await bundle.insert(0, boxIds.slice(0, 3))).status).to.equal(200);
  return { bundleId, bundle, boxIds };
}

/** Requests of the owner of a bundle. */
export function editsOf(stage: Stage, bundleId: string, owner: TestUser = stage.publisher) {
  const edit = (action: string, body: object, token = owner.token): Promise<TestResponse> =>
    stage.api.call('POST', `/api/contentbundle/${bundleId}/items/${action}`, { token, body });
  return {
    edit,
    insert: (index: number, boxIds: readonly string[]) =>
      edit('insert', { index, sourceItems: boxIds.map((boxId) => ({ boxId })) }),
    move: (fromIndex: number, toIndex: number) => edit('move', { fromIndex, toIndex }),
    remove: (index: number, count: number) => edit('remove', { index, count }),
    items: (token = owner.token) => stage.api.call('GET', `/api/contentbundle/${bundleId}/items`, { token }),
    publicItems: () => stage.api.call('GET', `/api/public/contentbundle/${bundleId}/items`, { token: stage.anybody }),
    /** Positions and box items of the rows. */
    rows: () =>
      stage.ctx.db.rows<{ place: number; boxId: string }>(
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
