import { expect } from 'chai';
import { entitlementOf } from '../../../shared/playback/entitlement.js';
import { trackingIdOf } from '../../../api/http/paymentBody.js';
import type { Context } from '../../../shared/platform/context.js';
import { NotFoundError } from '../../../shared/platform/errors.js';

const trackingId = '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20';

describe('trackingIdOf', () => {
  it('accepts a UUID in upper or lower case, with surrounding spaces', () => {
    expect(trackingIdOf(trackingId)).to.equal(trackingId);
    expect(trackingIdOf(` ${trackingId.toUpperCase()}\n`)).to.equal(trackingId);
  });

  it('treats any other text or value as absent, without a conversion', () => {
    const texts = ['', ' ', 'null', 'undefined', 'x', trackingId.slice(1), `${trackingId}0`, `{${trackingId}}`];
    for (const sent of [...texts, undefined, null, 7, true, [trackingId], { trackingId }])
      expect(trackingIdOf(sent), JSON.stringify(sent)).to.equal(null);
  });
});

describe('entitlementOf', () => {
  /** A context whose members all throw. It proves that no query is made. */
  const silent = new Proxy({} as Context, {
    get: (_target, member) => {
      throw new Error(`ctx.${String(member)} was asked`);
    },
  });
  const bought = { kind: 'vod', itemId: trackingId } as const;
  const sold = { bought, bundleId: null };
  const soldInBundle = { bought, bundleId: trackingId };
  const owner = { userId: 'owner', trackingId };

  it('permits the owner, and every viewer of a free item, without a query', async () => {
    const may = { result: 'PLAY', view: null };
    for (const terms of [
      { for: 'OWNER' },
      { for: 'ANYBODY' },
      { for: 'BUYER', sold },
      { for: 'SUBSCRIBER', sold: soldInBundle },
    ] as const)
      expect(await entitlementOf(silent, { ownerId: 'owner', terms }, owner)).to.deep.equal(may);
    for (const userId of [null, 'user'])
      expect(
        await entitlementOf(silent, { ownerId: 'owner', terms: { for: 'ANYBODY' } }, { userId, trackingId }),
      ).to.deep.equal(may);
  });

  it('requires payment or subscription from a viewer without user and tracking id, without a query', async () => {
    const anonymous = { userId: null, trackingId: null };
    const entitlement = (terms: Parameters<typeof entitlementOf>[1]['terms']) =>
      entitlementOf(silent, { ownerId: 'owner', terms }, anonymous);
    expect(await entitlement({ for: 'BUYER', sold })).to.deep.equal({ result: 'PAYMENT_REQUIRED' });
    expect(await entitlement({ for: 'SUBSCRIBER', sold: soldInBundle })).to.deep.equal({
      result: 'SUBSCRIPTION_REQUIRED',
    });
  });

  it('permits the owner only a preview of an item whose license pays the licensor for each view', async () => {
    const terms = { for: 'OWNER' } as const;
    const entitlement = await entitlementOf(silent, { ownerId: 'owner', terms, isPaidByView: true }, owner);
    expect(entitlement).to.deep.equal({ result: 'PREVIEW' });
  });

  it('throws NotFoundError for other users if only the owner may play', async () => {
    const error = await entitlementOf(
      silent,
      { ownerId: 'owner', terms: { for: 'OWNER' } },
      { userId: 'user', trackingId: null },
    ).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(NotFoundError);
  });
});
