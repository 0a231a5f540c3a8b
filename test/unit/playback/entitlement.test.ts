import { expect } from 'chai';
import { entitlementOf, trackingIdOf } from '../../../shared/playback/entitlement.js';
import type { Context } from '../../../shared/platform/context.js';
import { NotFoundError } from '../../../shared/platform/errors.js';

const trackingId = '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20';

describe('trackingIdOf', () => {
  it('takes what has the form of one, in any case, with spaces around it', () => {
    expect(trackingIdOf(trackingId)).to.equal(trackingId);
    expect(trackingIdOf(` ${trackingId.toUpperCase()}\n`)).to.equal(trackingId);
  });

  for (const sent of ['', ' ', 'null', 'undefined', 'x', trackingId.slice(1), `${trackingId}0`, `{${trackingId}}`])
    it(`counts ${JSON.stringify(sent)} as absent`, () => expect(trackingIdOf(sent)).to.equal(null));
  for (const sent of [undefined, null, 7, true, [trackingId], { trackingId }])
    it(`counts ${JSON.stringify(sent)} as absent, without a question`, () => expect(trackingIdOf(sent)).to.equal(null));
});

describe('entitlementOf', () => {
  /** Whatever is asked of it, it fails: what is free or one's own needs no question. */
  const silent = new Proxy({} as Context, {
    get: (_target, member) => {
      throw new Error(`ctx.${String(member)} was asked`);
    },
  });
  const bought = { kind: 'vod', itemId: trackingId } as const;
  const owner = { userId: 'owner', trackingId };

  it('asks nobody where the viewer is the owner, or it is free, whatever tracking id is sent', async () => {
    const may = { result: 'PLAY', view: null };
    for (const terms of [
      { for: 'OWNER' },
      { for: 'ANYBODY' },
      { for: 'BUYER', bought },
      { for: 'SUBSCRIBER', bundleId: trackingId, bought },
    ] as const)
      expect(await entitlementOf(silent, { ownerId: 'owner', terms }, owner)).to.deep.equal(may);
    for (const userId of [null, 'user'])
      expect(
        await entitlementOf(silent, { ownerId: 'owner', terms: { for: 'ANYBODY' } }, { userId, trackingId }),
      ).to.deep.equal(may);
  });

  it('asks nobody about somebody who is not known and sends nothing', async () => {
    const nobody = { userId: null, trackingId: null };
    const entitlement = (terms: Parameters<typeof entitlementOf>[1]['terms']) =>
      entitlementOf(silent, { ownerId: 'owner', terms }, nobody);
    expect(await entitlement({ for: 'BUYER', bought })).to.deep.equal({ result: 'PAYMENT_REQUIRED' });
    expect(await entitlement({ for: 'SUBSCRIBER', bundleId: trackingId, bought })).to.deep.equal({
      result: 'SUBSCRIPTION_REQUIRED',
    });
  });

  it('finds nothing of the owner’s alone for others', async () => {
    const error = await entitlementOf(
      silent,
      { ownerId: 'owner', terms: { for: 'OWNER' } },
      { userId: 'user', trackingId: null },
    ).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(NotFoundError);
  });
});
