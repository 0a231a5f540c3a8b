import type { TestAnswer, TestUser } from '../../support/api.js';
import type { Stage } from '../bundle/bundling.js';

/** Edits of a bundle as its owner makes them. */
export function editsOf(stage: Stage, bundleId: string, owner: TestUser = stage.publisher) {
  const edit = (action: string, body: object, token = owner.token): Promise<TestAnswer> =>
    stage.api.call('POST', `/api/contentbundle/${bundleId}/items/${action}`, { token, body });
  return {
    edit,
    insert: (index: number, boxIds: readonly string[]) =>
      edit('insert', { index, sourceItems: boxIds.map((boxId) => ({ boxId })) }),
    move: (fromIndex: number, toIndex: number) => edit('move', { fromIndex, toIndex }),
    remove: (index: number, count: number) => edit('remove', { index, count }),
    items: (token = owner.token) => stage.api.call('GET', `/api/contentbundle/${bundleId}/items`, { token }),
    publicItems: () => stage.api.call('GET', `/api/public/contentbundle/${bundleId}/items`, { token: stage.anybody }),
    /** Places and box ids as the rows have them. */
    rows: () =>
      stage.ctx.db.rows<{ place: number; boxId: string }>(
        `SELECT bundle_position AS place, box_item_id AS "boxId" FROM vod_items
          WHERE bundle_id = $bundleId ORDER BY bundle_position`,
        { bundleId },
      ),
  };
}

/** Box ids of an answer, in order. */
export function orderIn({ body }: TestAnswer): string[] {
  return body.items.map(({ boxId }: { boxId: string }) => boxId);
}
