import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { NotFoundError } from '../../../shared/platform/errors.js';
import { playVod } from '../../../shared/playback/playVod.js';
import { rowsOf } from '../../support/requirements.js';
import { useFixture } from '../../support/fixtures.js';
import { recordBand } from '../../../shared/license/band.service.js';
import { seedBoxItem, storedRows } from '../../support/rows.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { createUser, disableUser } from '../../support/users.js';
import { EntitlementRecord } from '../../../shared/payment/entitlement.model.js';

/** The kinds of viewers. Public and private paths behave equally. */
const viewerKinds = ['owner', 'user', 'public token'] as const;
const licenseTypes = ['FREE', 'CREATIVE_COMMONS', 'PAY_PER_VIEW', 'CONTENT_BUNDLE'] as const;
const states = ['listed', 'unlisted', 'ended', 'disabled', 'no band left', 'pending', 'failed'] as const;
const subscriptions = ['none', 'live', 'expired'] as const;
/**
 * Paid views, by default of the viewer; `by its id`: paid with a public token. The tracking id is sent, except in the last
 * two.
 */
const views = [
  'none',
  'none, an unknown id',
  'new',
  'started',
  'used up',
  'new by its id',
  'started by its id',
  'used up by its id',
  'of another user',
  'of another item',
  'new, its id not sent',
  'new by its id, not sent',
] as const;

interface Case {
  readonly viewerKind: (typeof viewerKinds)[number];
  readonly licenseType: (typeof licenseTypes)[number];
  readonly state: (typeof states)[number];
  readonly subscription: (typeof subscriptions)[number];
  readonly view: (typeof views)[number];
}

/** The rows of all items and viewers of the cases. */
interface EntitlementFixture {
  readonly ctx: TestContext;
  /** Users by the state of their subscription to every bundle. */
  readonly users: Readonly<Record<Case['subscription'], string>>;
  ownerOf(state: Case['state']): string;
  itemOf(state: Case['state'], licenseType: Case['licenseType']): string;
  /** Replaces all paid views with that of a case. Resolves with the tracking id to send. */
  setView(view: Case['view'], vodId: string, buyerId: string | null): Promise<string | null>;
  /** The number of views whose viewing period starts at this moment. */
  startedNow(): Promise<number>;
  close(): Promise<void>;
}

async function openEntitlementFixture(): Promise<EntitlementFixture> {
  const ctx = await openTestContext();
  const [plain, disabled, exhausted, another, none, live, expired] = await Promise.all(
    Array.from({ length: 7 }, () => createUser(ctx)),
  );
  const users = { none: none ?? '', live: live ?? '', expired: expired ?? '' };
  const ownerOf = (state: Case['state']): string =>
    (state === 'disabled' ? disabled : state === 'no band left' ? exhausted : plain) ?? '';
  const bundles = new Map<string, string>();
  for (const owner of [plain, disabled, exhausted]) bundles.set(owner ?? '', await seedBundle(ctx, owner ?? '', users));
  const items = new Map<string, string>();
  for (const state of states) {
    for (const licenseType of licenseTypes) {
      const owner = ownerOf(state);
      items.set(`${state} ${licenseType}`, await seedItem(ctx, owner, state, licenseType, bundles.get(owner) ?? ''));
    }
  }
  await disableUser(ctx, disabled ?? '');
  await recordBand(ctx, new Map([[exhausted ?? '', 5 * 1024 ** 3]]));
  const other = randomUUID();
  const payments = new Map<string, string>();
  return {
    ctx,
    users,
    ownerOf,
    itemOf: (state, licenseType) => items.get(`${state} ${licenseType}`) ?? '',
    async setView(view, vodId, buyerId) {
      await ctx.db.change('DELETE FROM entitlements');
      if (view === 'none') return null;
      if (view === 'none, an unknown id') return randomUUID();
      const holderId = view.includes('by its id') ? null : view === 'of another user' ? (another ?? '') : buyerId;
      const itemId = view === 'of another item' ? other : vodId;
      const trackingId = await seedPayment(ctx, payments, itemId, holderId);
      await seedView(ctx, { trackingId, holderId, itemId }, view);
      return view.includes('not sent') ? null : trackingId;
    },
    startedNow: async () => (await storedRows(ctx, EntitlementRecord, { firstUsedAt: ctx.clock.now() })).length,
    close: () => ctx.close(),
  };
}

async function seedBundle(ctx: TestContext, ownerId: string, users: EntitlementFixture['users']): Promise<string> {
  const id = randomUUID();
  const now = ctx.clock.now();
  await ctx.db.change(
    `INSERT INTO bundles (id, owner_id, name, price_cents, duration, duration_unit, published_at, updated_at)
     VALUES ($id, $ownerId, 'A bundle', 900, 1, 'MONTHS', $now, $now)`,
    { id, ownerId, now },
  );
  const ends = { live: new Date(now.getTime() + 1), expired: now };
  for (const kind of ['live', 'expired'] as const) {
    await ctx.db.change(
      `INSERT INTO bundle_subscriptions (id, bundle_id, user_id, subscribed_at, expires_at)
       VALUES ($subscriptionId, $id, $userId, $now, $end)`,
      { subscriptionId: randomUUID(), id, userId: users[kind], now, end: ends[kind] },
    );
  }
  return id;
}

async function seedItem(
  ctx: TestContext,
  ownerId: string,
  state: Case['state'],
  licenseType: Case['licenseType'],
  bundleId: string,
): Promise<string> {
  const { boxId } = await seedBoxItem(ctx, ownerId, {
    state: state === 'pending' ? 'PENDING' : state === 'failed' ? 'FAILED' : 'READY',
    ...(state === 'ended' ? { expiresAt: ctx.clock.now() } : {}),
  });
  const id = randomUUID();
  const inBundle = licenseType === 'CONTENT_BUNDLE';
  await ctx.db.change(
    `INSERT INTO vod_items (id, owner_id, box_item_id, license_type, cc_type, price_per_view_cents, bundle_id,
                            bundle_position, public, published_at, updated_at)
     VALUES ($id, $ownerId, $boxId, $licenseType, $ccType, $price, $bundleId,
             CASE WHEN $inBundle::boolean
                  THEN (SELECT count(*)::integer FROM vod_items WHERE bundle_id = $bundleId) END, $isListed, $now, $now)`,
    {
      id,
      ownerId,
      boxId,
      licenseType,
      inBundle,
      ccType: licenseType === 'CREATIVE_COMMONS' ? 'BY' : null,
      price: licenseType === 'PAY_PER_VIEW' ? 400 : null,
      bundleId: inBundle ? bundleId : null,
      isListed: state !== 'unlisted',
      now: ctx.clock.now(),
    },
  );
  return id;
}

/** A fulfilled payment, one per item and buyer. */
async function seedPayment(
  ctx: TestContext,
  known: Map<string, string>,
  itemId: string,
  buyerId: string | null,
): Promise<string> {
  const made = known.get(`${itemId} ${buyerId}`);
  if (made !== undefined) return made;
  const trackingId = randomUUID();
  await ctx.db.change(
    `INSERT INTO payments (tracking_id, kind, item_id, buyer_id, amount_cents, currency, title, provider, state,
                           created_at, expires_at, fulfilled_at, updated_at)
     VALUES ($trackingId, 'vod', $itemId, $buyerId, 400, 'EUR', 'A video', 'sandbox', 'FULFILLED', $now, $now, $now, $now)`,
    { trackingId, itemId, buyerId, now: ctx.clock.now() },
  );
  known.set(`${itemId} ${buyerId}`, trackingId);
  return trackingId;
}

/** A started view expires in a millisecond, a used up view now. */
async function seedView(
  ctx: TestContext,
  row: { readonly trackingId: string; readonly holderId: string | null; readonly itemId: string },
  view: Case['view'],
): Promise<void> {
  const now = ctx.clock.now();
  const end = view.startsWith('started') ? new Date(now.getTime() + 1) : view.startsWith('used up') ? now : null;
  const begin = end && new Date(end.getTime() - ctx.config.payments.viewSeconds * 1000);
  await ctx.db.change(
    `INSERT INTO entitlements (tracking_id, holder_id, kind, item_id, granted_at, first_used_at, expires_at)
     VALUES ($trackingId, $holderId, 'vod', $itemId, $now, $begin, $end)`,
    { ...row, now, begin, end },
  );
}

/** The expected result: the first matching line applies. `starts`: the viewing period of a view starts. */
function expected({ viewerKind, licenseType, state, subscription, view }: Case): string {
  const isOwner = viewerKind === 'owner';
  const isUser = viewerKind === 'user';
  const forUser = view === 'new' || view === 'new, its id not sent' || view === 'started';
  const forAnybody = view === 'new by its id' || view === 'started by its id';
  const paid =
    licenseType === 'CONTENT_BUNDLE' && isUser && subscription === 'live'
      ? 'PLAY'
      : forAnybody || (forUser && (isUser || isOwner))
        ? view.startsWith('new')
          ? 'PLAY starts'
          : 'PLAY'
        : null;
  if (state === 'pending' || state === 'failed') return 'MESSAGE';
  if (state === 'disabled') return paid ?? 'NOT FOUND';
  if (state === 'ended') return paid ?? 'MESSAGE';
  if (state === 'no band left') return paid ?? 'BAND_LIMIT_EXCEEDED';
  if (isOwner || licenseType === 'FREE' || licenseType === 'CREATIVE_COMMONS') return 'PLAY';
  if (paid) return paid;
  return licenseType === 'PAY_PER_VIEW' ? 'PAYMENT_REQUIRED' : 'SUBSCRIPTION_REQUIRED';
}

describe('playVod', () => {
  const fixture = useFixture(openEntitlementFixture);

  /** Sets the rows of a case, plays, and returns the result in the format of `expected`. */
  async function observed({ viewerKind, licenseType, state, subscription, view }: Case): Promise<string> {
    const { ctx, users } = fixture;
    const userId =
      viewerKind === 'owner' ? fixture.ownerOf(state) : viewerKind === 'public token' ? null : users[subscription];
    const vodId = fixture.itemOf(state, licenseType);
    const trackingId = await fixture.setView(view, vodId, userId ?? users[subscription]);
    try {
      const request = {
        vodId,
        viewer: { userId, trackingId },
        viewerCode: null,
        kind: 'full',
        language: 'en',
      } as const;
      const { result } = await playVod(ctx, request);
      expect(result.streamer !== '').to.equal(result.result === 'PLAY');
      return `${result.result}${(await fixture.startedNow()) > 0 ? ' starts' : ''}`;
    } catch (error) {
      if (error instanceof NotFoundError) return 'NOT FOUND';
      throw error;
    }
  }

  const table = states.flatMap((state) =>
    licenseTypes.map((licenseType) => ({ name: `${licenseType}, ${state}`, state, licenseType })),
  );
  /** Every state with two of the four license types. */
  const diagonal = table.flatMap(({ name }, index) => ((index + Math.floor(index / 4)) % 2 === 0 ? [name] : []));
  for (const { name, state, licenseType } of rowsOf(table, diagonal))
    it(`decides ${name} for every viewer, subscription and view`, async () => {
      const wrong: string[] = [];
      for (const viewerKind of viewerKinds)
        for (const subscription of viewerKind === 'user' ? subscriptions : (['none'] as const))
          for (const view of views) {
            const supplied = { viewerKind, licenseType, state, subscription, view };
            const [should, is] = [expected(supplied), await observed(supplied)];
            if (should !== is)
              wrong.push(`${viewerKind}, subscription ${subscription}, view ${view}: ${is}, not ${should}`);
          }
      expect(wrong).to.deep.equal([]);
    });

  it('throws NotFoundError for an unknown item', async () => {
    const by = { viewer: { userId: null, trackingId: null }, viewerCode: null, language: 'en' } as const;
    const unknown = playVod(fixture.ctx, { vodId: randomUUID(), ...by, kind: 'full' });
    expect(await unknown.catch((thrown: unknown) => thrown)).to.be.instanceOf(NotFoundError);
  });
});
