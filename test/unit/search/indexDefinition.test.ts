import { expect } from 'chai';
import { indexes } from '../../../shared/indexes.js';
import { digestOf } from '../../../shared/platform/search/digest.js';
import { defineIndex, definitionSignature, withBoundedTexts } from '../../../shared/platform/search/indexDefinition.js';
import type { SearchDocument, SearchIndex, SearchValue } from '../../../shared/platform/search/search.js';

describe('texts of bounded length', () => {
  it('are cut from long texts, without a change of other members', async () => {
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
    expect(await index.document({}, ['a'])).to.deep.equal([{ ...document, description: 'x'.repeat(5_000) }]);
  });
});

/**
 * Signatures and digests that releases store since 1.0. A changed signature makes every deployment rebuild the index, a changed
 * digest makes the drift sweep write every document again: change a value here only with that intention.
 */
const stored: Readonly<Record<string, { readonly signature: string; readonly digest: string }>> = {
  box: { signature: '5706e2d8f5af7104', digest: 'AJ22xIR9OcHj7alg' },
  bundle: { signature: '8744cdbfe2a7821d', digest: 'YTYU_5lhkyeU7asz' },
  subscription: { signature: '5ecd6e1d6d8f12b7', digest: 'Kyl36KzTUF0P1lm9' },
  marketplace: { signature: 'ce634cb86596270b', digest: 'sy69jHIvBZh2_sM7' },
  vod: { signature: 'ec63242eaaa68afd', digest: '_xrNtE-bHSfBSKno' },
  user: { signature: '05f5d9eb2a15b923', digest: 'Bo6lQZmKDPSMu2OS' },
  liveChannel: { signature: '91491c4db4a553c0', digest: 'poPTKlMrM1U-L1Dx' },
  liveEvent: { signature: '945fad0c5a5b348b', digest: 'WNizTNF6aytbbrEe' },
  castChannel: { signature: '5c17caf98dea2bb5', digest: 'eseC-i3i9-_mbTN2' },
  castStream: { signature: '4416d9e8f1876a18', digest: 'aYLUyEgE0C1b7oql' },
  castProgram: { signature: '4f2d41fb69d14f88', digest: 'EZfBtfgKyUCIY5mq' },
};

/** A document with a value for every member that the definition names. */
function sampleDocument({ groups, filters, sorts }: SearchIndex): SearchDocument {
  const fields = Object.values(groups).flatMap((group) => group.fields);
  const members: [string, SearchValue][] = [
    ...fields.map((name): [string, SearchValue] => [name, `text of ${name}`]),
    ...filters.map((name, position): [string, SearchValue] => [name, position % 2 === 0 ? true : ['b', 'a']]),
    ...sorts.map((name): [string, SearchValue] => [name, 1_700_000_000_000]),
  ];
  return { id: 'a', ...Object.fromEntries(members) };
}

describe('stored search indexes', () => {
  it('keep their signatures, so that a release rebuilds none', () =>
    expect(Object.fromEntries(indexes.map((index) => [index.name, definitionSignature(index)]))).to.deep.equal(
      Object.fromEntries(Object.entries(stored).map(([name, { signature }]) => [name, signature])),
    ));

  it('keep the digests of their documents', () => {
    for (const index of indexes)
      expect(digestOf(index, sampleDocument(index)), index.name).to.equal(stored[index.name]?.digest);
  });
});
