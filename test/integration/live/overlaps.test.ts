import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createEvent, deleteEvent, updateEvent, type EventDescription } from '../../../shared/live/event.service.js';
import { ConflictError } from '../../../shared/platform/errors.js';
import { openStudio } from './studio.js';
import { utc } from '../../../shared/platform/formats/timeZone.js';
import { useFixture } from '../../support/fixtures.js';

/** Hours of a day, so that two events often meet. */
const hours = 8;
const hour = fc.nat(hours - 1);
const times = fc
  .tuple(hour, hour)
  .map(([one, other]) => ({ from: Math.min(one, other), until: Math.max(one, other) + 1 }));
const change = fc.oneof(
  { weight: 5, arbitrary: times.map((at) => ({ kind: 'create' as const, at })) },
  { weight: 3, arbitrary: fc.tuple(fc.nat(), times).map(([number, at]) => ({ kind: 'move' as const, number, at })) },
  { weight: 2, arbitrary: fc.nat().map((number) => ({ kind: 'delete' as const, number })) },
);

/** The model: which event has each hour of the day. */
type Day = (string | undefined)[];

/** `docs/contract.md#choices-live`: events of one channel do not overlap. */
describe('The events of a channel', () => {
  const studio = useFixture(openStudio);

  const hourMs = 3_600_000;
  function describedBy({ from, until }: { from: number; until: number }): EventDescription {
    const day = studio.ctx.clock.now().getTime() + 48 * hourMs;
    const startsAt = new Date(day + from * hourMs);
    return { name: 'Event', paymentMode: 'FREE', priceCents: null, startsAt, endsAt: new Date(day + until * hourMs) };
  }

  async function orConflict<Result>(work: Promise<Result>): Promise<Result | null> {
    return work.catch((error: unknown) => {
      if (error instanceof ConflictError) return null;
      throw error;
    });
  }

  it('never share an hour, whatever is created, moved and deleted; all that fits is accepted', async function many() {
    this.timeout(60_000);
    const { ctx, publisher } = studio;
    const run = async (changes: readonly (typeof change extends fc.Arbitrary<infer Value> ? Value : never)[]) => {
      const channelId = await studio.channel({ streamPath: `p${randomBytes(8).toString('hex')}` });
      const day: Day = Array.from({ length: hours });
      const isFree = ({ from, until }: { from: number; until: number }, except?: string) =>
        day.slice(from, until).every((claim) => claim === undefined || claim === except);
      for (const one of changes) {
        const present = [...new Set(day.filter((claim) => claim !== undefined))];
        const eventId = one.kind === 'create' ? undefined : present[one.number % Math.max(1, present.length)];
        if (one.kind === 'create') {
          const created = await orConflict(createEvent(ctx, publisher.userId, channelId, describedBy(one.at)));
          expect(created !== null).to.equal(isFree(one.at));
          if (created) day.fill(created.id, one.at.from, one.at.until);
        } else if (eventId === undefined) continue;
        else if (one.kind === 'delete') {
          await deleteEvent(ctx, publisher.userId, eventId);
          for (const [at, claim] of day.entries()) if (claim === eventId) day[at] = undefined;
        } else {
          const moved = await orConflict(updateEvent(ctx, publisher.userId, eventId, describedBy(one.at), utc));
          expect(moved !== null).to.equal(isFree(one.at, eventId));
          if (!moved) continue;
          for (const [at, claim] of day.entries()) if (claim === eventId) day[at] = undefined;
          day.fill(eventId, one.at.from, one.at.until);
        }
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 14 }), run), { numRuns: 15 });
  });
});
