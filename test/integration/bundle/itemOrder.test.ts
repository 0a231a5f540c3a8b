import { expect } from 'chai';
import fc from 'fast-check';
import { deleteVod, publishVod } from '../../../shared/bundle/publication.service.js';
import { insertItems, moveItem, removeItems } from '../../../shared/bundle/bundleItems.service.js';
import { seedBoxItem } from '../../support/contents.js';
import { bundlesFixture, editsOf, newBundle, orderIn } from './bundles.js';

const boxCount = 12;
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const someBoxes = fc.uniqueArray(fc.nat(boxCount - 1), { minLength: 1, maxLength: 4 });

/** An edit whose positions are fractions of the list's length, so that it fits every list. */
const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert' as const), at: fraction, boxes: someBoxes }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), from: fraction, to: fraction }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fraction, part: fraction }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('publish' as const), box: fc.nat(boxCount - 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unpublish' as const), at: fraction }) },
);
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

describe('the order of a bundle’s items', () => {
  const fixture = bundlesFixture();
  const { ctx, api, publisher } = fixture;
  let boxIds: string[];

  before(async () => {
    boxIds = [];
    for (let number = 0; number < 60; number += 1)
      boxIds.push((await seedBoxItem(ctx, publisher.userId, { title: `Video ${number}` })).boxId);
  });

  const boxOf = (number: number) => boxIds[number] ?? '';

  /** Applies an edit to the bundle through the API, and to the plain array. */
  async function make(bundleId: string, model: string[], change: Edit): Promise<void> {
    const ownerId = publisher.userId;
    const place = (part: number, places: number) => Math.floor(part * places);
    if (change.kind === 'insert') {
      const [index, boxes] = [place(change.at, model.length + 1), change.boxes.map(boxOf)];
      await insertItems(ctx, ownerId, bundleId, { index, boxIds: boxes });
      const marker = 'here';
      model.splice(index, 0, marker);
      for (const box of boxes) if (model.includes(box)) model.splice(model.indexOf(box), 1);
      model.splice(model.indexOf(marker), 1, ...boxes);
    } else if (change.kind === 'publish') {
      const box = boxOf(change.box);
      const conditions = { licenseType: 'CONTENT_BUNDLE', ccType: null, pricePerViewCents: null } as const;
      const publishing = publishVod(ctx, ownerId, box, { ...conditions, bundleId, public: true });
      if (model.includes(box)) expect(await publishing.catch(() => 'refused')).to.equal('refused');
      else {
        await publishing;
        model.push(box);
      }
    } else if (model.length > 0) await makeOfSome(bundleId, model, change, place);
  }

  async function makeOfSome(
    bundleId: string,
    model: string[],
    change: Exclude<Edit, { kind: 'insert' | 'publish' }>,
    place: (part: number, places: number) => number,
  ): Promise<void> {
    const ownerId = publisher.userId;
    if (change.kind === 'move') {
      const [fromIndex, toIndex] = [place(change.from, model.length), place(change.to, model.length + 1)];
      await moveItem(ctx, ownerId, bundleId, { fromIndex, toIndex });
      const [item = ''] = model.splice(fromIndex, 1);
      model.splice(toIndex > fromIndex ? toIndex - 1 : toIndex, 0, item);
    } else if (change.kind === 'remove') {
      const index = place(change.at, model.length);
      const count = 1 + place(change.part, model.length - index);
      await removeItems(ctx, ownerId, bundleId, { index, count });
      model.splice(index, count);
    } else {
      const index = place(change.at, model.length);
      const { items } = (await editsOf(fixture, bundleId).items()).body;
      await deleteVod(ctx, ownerId, items[index].vodId);
      model.splice(index, 1);
    }
  }

  const placed = (boxes: readonly string[]) => boxes.map((boxId, place) => ({ place, boxId }));

  it('matches a plain array after any sequence of edits through bundle and VOD operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 15 }), async (edits) => {
        const bundleId = await newBundle(api, publisher);
        const model: string[] = [];
        for (const change of edits) {
          await make(bundleId, model, change);
          expect(await editsOf(fixture, bundleId).rows()).to.deep.equal(placed(model));
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it('contains every item once, without gaps, after fifty concurrent changes', async () => {
    const bundleId = await newBundle(api, publisher);
    const bundle = editsOf(fixture, bundleId);
    const [present, added, more] = [boxIds.slice(0, 20), boxIds.slice(20, 35), boxIds.slice(35, 40)];
    expect((await bundle.insert(0, present)).status).to.equal(200);
    const publish = (boxId: string) =>
      api.call('POST', `/api/box/${boxId}/vod`, {
        token: publisher.token,
        body: { licenseType: 'CONTENT_BUNDLE', bundleId },
      });
    // The deletions remove ten items in any order: the other items contain all these indexes.
    const responses = await Promise.all([
      ...added.map((boxId, number) => bundle.insert(number % 5, [boxId])),
      ...Array.from({ length: 20 }, (_, number) => bundle.move(number % 7, (number * 3) % 8)),
      ...Array.from({ length: 10 }, (_, number) => bundle.remove(number % 4, 1)),
      ...more.map(publish),
    ]);
    expect(responses.map(({ status, text }) => (status < 300 ? 'made' : text))).to.deep.equal(
      responses.map(() => 'made'),
    );
    const rows = await bundle.rows();
    expect(rows.map(({ place }) => place)).to.deep.equal(Array.from({ length: 30 }, (_, place) => place));
    const boxes = rows.map(({ boxId }) => boxId);
    expect(new Set(boxes).size).to.equal(30);
    expect([...present, ...added, ...more]).to.include.members(boxes);
    expect(orderIn(await bundle.items())).to.deep.equal(boxes);
  });

  it('contains a box item once after many concurrent insertions and publications', async () => {
    const bundleId = await newBundle(api, publisher);
    const bundle = editsOf(fixture, bundleId);
    const boxId = boxOf(59);
    const responses = await Promise.all([
      ...Array.from({ length: 10 }, () => bundle.insert(0, [boxId])),
      ...Array.from({ length: 5 }, () =>
        api.call('POST', `/api/box/${boxId}/vod`, {
          token: publisher.token,
          body: { licenseType: 'CONTENT_BUNDLE', bundleId },
        }),
      ),
    ]);
    expect(responses.slice(0, 10).map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
    for (const { status } of responses.slice(10)) expect(status).to.be.oneOf([201, 409]);
    expect(await bundle.rows()).to.deep.equal([{ place: 0, boxId }]);
  });
});
