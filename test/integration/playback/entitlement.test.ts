import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { NotFoundError } from '../../../shared/platform/errors.js';
import { playVod } from '../../../shared/playback/playVod.js';
import {
  askers,
  licenseTypes,
  openTruthStage,
  states,
  subscriptions,
  views,
  type Case,
  type TruthStage,
} from './entitlementCases.js';

/** What must come out, said as shortly as it can be: the first line that fits holds. `begins`: the time of a view. */
function expected({ asker, licenseType, state, subscription, view }: Case): string {
  const isOwner = asker.startsWith('owner');
  const isUser = asker.startsWith('user');
  const forUser = view === 'fresh' || view === 'fresh, its id not sent' || view === 'begun';
  const forAnybody = view === 'fresh by its id' || view === 'begun by its id';
  if (state === 'disabled' || (state === 'private' && asker !== 'owner')) return 'NOT FOUND';
  if (state === 'ended' || state === 'pending' || state === 'failed') return 'MESSAGE';
  if (state === 'no band left') return 'BAND_LIMIT_EXCEEDED';
  if (isOwner || licenseType === 'FREE' || licenseType === 'CREATIVE_COMMONS') return 'PLAY';
  if (licenseType === 'CONTENT_BUNDLE' && isUser && subscription === 'live') return 'PLAY';
  if (forAnybody || (forUser && isUser)) return view.startsWith('fresh') ? 'PLAY begins' : 'PLAY';
  return licenseType === 'PAY_PER_VIEW' ? 'PAYMENT_REQUIRED' : 'SUBSCRIPTION_REQUIRED';
}

describe('Who may play what', () => {
  let stage: TruthStage;

  before(async () => {
    stage = await openTruthStage();
  });
  after(() => stage?.close());

  /** Sets the rows of one case, plays, and tells what came of it. */
  async function observed({ asker, licenseType, state, subscription, view }: Case): Promise<string> {
    const { ctx, users } = stage;
    const userId = asker.startsWith('owner') ? stage.ownerOf(state) : asker === 'nobody' ? null : users[subscription];
    const vodId = stage.itemOf(state, licenseType);
    const trackingId = await stage.setView(view, vodId, userId ?? users[subscription]);
    try {
      const { result } = await playVod(ctx, {
        vodId,
        seenBy: asker === 'owner' || asker === 'user' ? userId : null,
        viewer: { userId, trackingId },
        viewerCode: null,
        kind: 'full',
        language: 'en',
      });
      expect(result.streamer !== '').to.equal(result.result === 'PLAY');
      return `${result.result}${(await stage.begunNow()) > 0 ? ' begins' : ''}`;
    } catch (error) {
      if (error instanceof NotFoundError) return 'NOT FOUND';
      throw error;
    }
  }

  for (const state of states) {
    for (const licenseType of licenseTypes) {
      it(`${licenseType}, ${state}: every asker, subscription and view`, async () => {
        const wrong: string[] = [];
        for (const asker of askers) {
          for (const subscription of asker.startsWith('user') ? subscriptions : (['none'] as const)) {
            for (const view of views) {
              const given = { asker, licenseType, state, subscription, view };
              const [should, is] = [expected(given), await observed(given)];
              if (should !== is)
                wrong.push(`${asker}, subscription ${subscription}, view ${view}: ${is}, not ${should}`);
            }
          }
        }
        expect(wrong).to.deep.equal([]);
      });
    }
  }

  it('an unknown item, and an id that is none, is not found by anybody', async () => {
    for (const vodId of [randomUUID(), 'film', '']) {
      const by = {
        seenBy: null,
        viewer: { userId: null, trackingId: null },
        viewerCode: null,
        language: 'en',
      } as const;
      const error = await playVod(stage.ctx, { vodId, ...by, kind: 'full' }).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(NotFoundError);
    }
  });
});
