import { expect } from 'chai';
import type { Context } from '../../../shared/platform/context.js';
import { defineIndex, withBoundedTexts } from '../../../shared/platform/search/indexDefinition.js';

describe('bounded texts', () => {
  it('are the beginnings of long texts; other members stay as they are', async () => {
    const document = { id: 'a', title: 'short', description: 'x'.repeat(20_000), tags: ['y'.repeat(6_000)], size: 1 };
    const index = withBoundedTexts(
      defineIndex({
        name: 'some',
        madeFrom: {},
        document: async () => [document],
        ids: async () => [],
        groups: { content: { fields: ['title', 'description', 'tags'], weight: 1 } },
        filters: ['tags', 'size'],
        sorts: [],
        publicDocuments: 'all',
      }),
    );
    expect(await index.document({} as Context, ['a'])).to.deep.equal([{ ...document, description: 'x'.repeat(5_000) }]);
  });
});
