import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { lockBundle } from '../../../shared/bundle/bundleOrder.js';
import { Thumbnail } from '../../../shared/content/thumbnail.model.js';
import { removeUnusedThumbnails } from '../../../shared/content/thumbnailRemoval.service.js';
import { thumbnailRegistry } from '../../../shared/thumbnails.js';
import { User } from '../../../shared/user/user.model.js';
import { seedBoxItem, changeRow, makeThumbnail, storedRows } from '../../support/rows.js';
import { bodyOf, rejectedFields, registerSeller } from '../../support/api.js';
import { whileLocked } from '../../support/statements.js';
import { aBundle, bundlesFixture, createBundle, editsOf, newBundle, orderIn } from './bundles.js';

describe('/api/contentbundle/{bundleId}', () => {
  const fixture = bundlesFixture({});
  const { ctx, api, publisher, viewer, anybody } = fixture;

  const read = (bundleId: string) => api.call('GET', `/api/contentbundle/${bundleId}`, { token: publisher.token });
  const readPublic = (bundleId: string) =>
    api.call('GET', `/api/public/contentbundle/${bundleId}`, { token: anybody.token });
  const change = (bundleId: string, body: object, token = publisher.token) =>
    api.call('POST', `/api/contentbundle/${bundleId}`, { token, body });
  const remove = (bundleId: string, token = publisher.token) =>
    api.call('DELETE', `/api/contentbundle/${bundleId}`, { token });

  it('returns 201 with the complete bundle, which its owner and everybody can read', async () => {
    const thumbnailId = await makeThumbnail(ctx, publisher.userId);
    const sent = { ...aBundle, description: 'Snow and ice', tags: ['snow', 'ice'], thumbnailId };
    const body = bodyOf(201, await createBundle(api, publisher.token, sent));
    expect(body).to.deep.equal({ ...sent, bundleId: body.bundleId, itemCount: 0 });
    expect((await read(body.bundleId)).body).to.deep.equal(body);
    const shown = { userCode: publisher.userCode, licenseExpired: false };
    expect((await readPublic(body.bundleId)).body).to.deep.equal({ ...body, publisher: shown });
  });

  it('returns 400 for an invalid member, also in an update, in which members are optional', async () => {
    const bundleId = await newBundle(api, publisher);
    const foreign = await makeThumbnail(ctx, viewer.userId);
    for (const [members, rejected] of [
      [{ name: undefined }, 'name required'],
      [{ name: '  ' }, 'name blank'],
      [{ duration: 1201, durationUnit: 'MONTHS' }, 'duration maximum'],
      ...[foreign, randomUUID()].map((thumbnailId) => [{ thumbnailId }, 'thumbnailId thumbnailUnknown'] as const),
    ] as const) {
      const created = await createBundle(api, publisher.token, members);
      expect(rejectedFields(created), JSON.stringify(members)).to.deep.equal([rejected]);
      const updated = await change(bundleId, { ...aBundle, ...members });
      if (rejected.endsWith(' required')) expect(updated.status).to.equal(200);
      else expect(rejectedFields(updated)).to.deep.equal([rejected]);
    }
  });

  it('returns 400 with all missing seller data, also for an owner whose data have since been removed', async () => {
    expect(rejectedFields(await createBundle(api, viewer.token))).to.deep.equal([
      'finance.paypalEmail dealing',
      'finance.billingAddress dealing',
      'finance.vatNumber dealing',
    ]);
    const former = await registerSeller(api);
    const bundleId = await newBundle(api, former);
    const { boxId } = await seedBoxItem(ctx, former.userId);
    await changeRow(ctx, User, former.userId, { paypalEmail: null });
    const insertion = editsOf(fixture, bundleId, former).insert(0, [boxId]);
    for (const response of [await change(bundleId, aBundle, former.token), await insertion])
      expect(rejectedFields(response)).to.deep.equal(['finance.paypalEmail dealing']);
  });

  it('200: replaces all members, empties the omitted ones, and changes nothing if the bundle is sent as read', async () => {
    const bundleId = await newBundle(api, publisher, { description: 'Old', tags: ['old'] });
    const { publisher: _publisher, ...own } = (await readPublic(bundleId)).body;
    expect((await change(bundleId, { ...own, publisher: _publisher })).body).to.deep.equal(own);
    const sent = { name: 'New', price: '1,00', duration: 3, durationUnit: 'DAYS' };
    const body = bodyOf(200, await change(bundleId, sent));
    expect(body).to.deep.equal({ ...sent, bundleId, itemCount: 0 });
    expect((await read(bundleId)).body).to.deep.equal(body);
  });

  it('200: without name, price, duration or unit, changes only the members sent', async () => {
    const bundleId = await newBundle(api, publisher, { description: 'Old', tags: ['old'], duration: 90 });
    await change(bundleId, { ...aBundle, duration: 90, durationUnit: 'YEARS', description: 'Old', tags: ['old'] });
    const { body } = await read(bundleId);
    expect((await change(bundleId, { price: '7' })).body).to.deep.equal({ ...body, price: '7,00' });
    expect((await change(bundleId, { tags: [] })).body).to.deep.include({ description: 'Old', price: '7,00' });
    expect(rejectedFields(await change(bundleId, { duration: 101 }))).to.deep.equal(['duration maximum']);
    const inDays = await change(bundleId, { durationUnit: 'DAYS' });
    expect(inDays.body).to.include({ duration: 90, durationUnit: 'DAYS' });
    expect(rejectedFields(await change(bundleId, {}))).to.deep.equal(['name required']);
  });

  it('returns 404 to the public for a disabled publisher and unknown ids, but 200 if only `vodPublic` is false', async () => {
    const other = await registerSeller(api);
    const bundleId = await newBundle(api, other);
    const items = editsOf(fixture, bundleId, other);
    bodyOf(200, await items.insert(0, [(await seedBoxItem(ctx, other.userId)).boxId]));
    await changeRow(ctx, User, other.userId, { vodPublic: false });
    expect((await readPublic(bundleId)).status).to.equal(200);
    expect(bodyOf(200, await items.publicItems()).items).to.have.lengthOf(1);
    expect((await api.call('POST', '/api/user/me/disable', { token: other.token })).status).to.equal(204);
    for (const id of [bundleId, randomUUID(), '1']) {
      expect((await readPublic(id)).status, id).to.equal(404);
      expect((await editsOf(fixture, id).publicItems()).status, id).to.equal(404);
    }
  });

  it('returns 204 for a deletion, then 404 for every operation on the bundle', async () => {
    const bundleId = await newBundle(api, publisher, { thumbnailId: await makeThumbnail(ctx, publisher.userId) });
    const { boxId } = await seedBoxItem(ctx, publisher.userId);
    const deletion = await remove(bundleId);
    expect([deletion.status, deletion.text]).to.deep.equal([204, '']);
    const items = editsOf(fixture, bundleId);
    const body = { licenseType: 'CONTENT_BUNDLE', bundleId };
    const later = await Promise.all([
      ...[remove(bundleId), read(bundleId), readPublic(bundleId), change(bundleId, aBundle)],
      ...[items.items(), items.publicItems(), items.insert(0, [randomUUID()])],
      api.call('POST', `/api/box/${boxId}/vod`, { token: publisher.token, body }),
    ]);
    expect(later.map(({ status }) => status)).to.deep.equal(later.map(() => 404));
  });

  it('returns 409 while the bundle has items, and for the later of a concurrent insertion and deletion', async () => {
    const { boxId } = await seedBoxItem(ctx, publisher.userId);
    const bundleId = await newBundle(api, publisher);
    const { insert, remove: removeItems } = editsOf(fixture, bundleId);
    const lock = (id: string) => (tx: Parameters<typeof lockBundle>[1]) => lockBundle(ctx, tx, publisher.userId, id);
    const [insertion, deletion] = await whileLocked(ctx, lock(bundleId), [
      () => insert(0, [boxId]),
      () => remove(bundleId),
    ]);
    bodyOf(200, insertion!);
    const { exception, message } = bodyOf(409, deletion!);
    expect(exception).to.contain('DataIntegrityViolationException');
    expect(message).to.match(/items/);
    await removeItems(0, 1);
    const responses = await whileLocked(ctx, lock(bundleId), [() => remove(bundleId), () => insert(0, [boxId])]);
    expect(responses.map(({ status }) => status)).to.deep.equal([204, 404]);
  });

  // The last test, because it advances the clock.
  it('removes the thumbnail of a deleted bundle in the sweep, and no other', async () => {
    const owner = await registerSeller(api);
    const [kept, dropped] = [await makeThumbnail(ctx, owner.userId), await makeThumbnail(ctx, owner.userId)];
    await newBundle(api, owner, { thumbnailId: kept });
    const deleted = await newBundle(api, owner, { thumbnailId: dropped });
    expect((await remove(deleted, owner.token)).status).to.equal(204);
    ctx.clock.advance(25 * 60 * 60_000);
    await removeUnusedThumbnails(ctx, thumbnailRegistry);
    const left = await storedRows(ctx, Thumbnail, { ownerId: owner.userId });
    expect(left.map(({ id }) => id)).to.deep.equal([kept]);
  });
});

describe('the order of a bundle’s items', () => {
  const fixture = bundlesFixture();
  const { ctx, api, publisher } = fixture;
  let boxIds: string[];

  before(async () => {
    boxIds = [];
    for (let number = 0; number < 60; number += 1)
      boxIds.push((await seedBoxItem(ctx, publisher.userId, { title: `Video ${number}` })).boxId);
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
});
