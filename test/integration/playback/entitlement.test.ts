import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { NotFoundError } from '../../../shared/platform/errors.js';
import { playVod } from '../../../shared/playback/playVod.js';
import {
  viewerKinds,
  licenseTypes,
  openEntitlementFixture,
  states,
  subscriptions,
  views,
  type Case,
} from './entitlementCases.js';
import { rowsOf } from '../../support/tables.js';
import { useFixture } from '../../support/fixtures.js';

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
