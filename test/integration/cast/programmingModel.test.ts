import { expect } from 'chai';
import fc from 'fast-check';
import { editDay, editDays, type Edit } from '../../../shared/cast/programming/edit.service.js';
import { parseCivilDay } from '../../../shared/cast/programming/day.js';
import { readOwnDay } from '../../../shared/cast/programming/day.queries.js';
import { clearing, inserting, moving, removing, replacing } from '../../../shared/cast/programming/changes.js';
import { formatDateTime } from '../../../shared/platform/formats/format.js';
import { utc, fixedZone } from '../../../shared/platform/formats/timeZone.js';
import { bodyOf } from '../../support/api.js';
import { openSchedule, type Schedule } from './schedule.js';

/** The nightly run uses more. */
const numRuns = Number(process.env['CAST_MODEL_RUNS'] ?? 4);
const minute = 60_000;
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const minutes = fc.integer({ min: 1, max: 40 });

/** A change whose indexes are fractions of the number of programs, so that it fits every list. */
const edit = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      at: fraction,
      lengths: fc.array(minutes, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), from: fraction, to: fraction }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fraction, part: fraction }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lengthen' as const), at: fraction, by: minutes }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);
type Change = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** The model: names and lengths in minutes, from midnight on. */
interface Named {
  readonly name: string;
  readonly length: number;
}

describe('daily programming', () => {
  let schedule: Schedule;

  before(async () => {
    schedule = await openSchedule();
  });

  const civil = () => parseCivilDay(schedule.date(3)) ?? 0;
  const editorOf = (channelId: string): Edit => ({
    ...{ channelId, ownerId: schedule.publisher.userId },
    ...{ zone: fixedZone(0), language: 'en' },
  });

  /** A program from one minute of the day to another. */
  function entryOf(name: string, from: number, until: number) {
    const at = (time: number) => formatDateTime(new Date(civil() + time * minute), utc);
    return { type: 'BREAK' as const, title: name, startDate: at(from), endDate: at(until) };
  }

  let created = 0;
  /** Applies a change to the channel through the API, and to the list. */
  async function make(channelId: string, list: readonly Named[], change: Change): Promise<Named[]> {
    const { ctx } = schedule;
    const editor = editorOf(channelId);
    const place = (part: number, places: number) => Math.floor(part * places);
    if (change.kind === 'insert') {
      const index = place(change.at, list.length + 1);
      const added = change.lengths.map((length) => ({ name: `P${(created += 1)}`, length }));
      const items = added.map(({ name, length }) => ({
        sourceType: 'BREAK' as const,
        title: name,
        durationSeconds: length * 60,
      }));
      await editDay(ctx, editor, civil(), inserting({ index, items }));
      return list.toSpliced(index, 0, ...added);
    }
    if (change.kind === 'clear') {
      await editDays(ctx, editor, { first: civil(), count: 1 }, clearing);
      return [];
    }
    if (list.length === 0) return [];
    if (change.kind === 'move') {
      const [fromIndex, toIndex] = [place(change.from, list.length), place(change.to, list.length + 1)];
      await editDay(ctx, editor, civil(), moving({ fromIndex, toIndex }));
      const rest = list.toSpliced(fromIndex, 1);
      return rest.toSpliced(toIndex > fromIndex ? toIndex - 1 : toIndex, 0, ...list.slice(fromIndex, fromIndex + 1));
    }
    if (change.kind === 'remove') {
      const index = place(change.at, list.length);
      const count = 1 + place(change.part, list.length - index);
      await editDay(ctx, editor, civil(), removing({ index, count }));
      return list.toSpliced(index, count);
    }
    const index = place(change.at, list.length);
    const next = list.map((item, number) => (number === index ? { ...item, length: item.length + change.by } : item));
    let time = 0;
    const entries = next.map(({ name, length }) => entryOf(name, time, (time += length)));
    await editDay(ctx, editor, civil(), replacing(entries));
    return next;
  }

  async function listOf(channelId: string): Promise<Named[]> {
    const { programs } = await readOwnDay(schedule.ctx, editorOf(channelId), civil());
    let time = civil();
    return programs.map(({ title, startsAt, endsAt }) => {
      expect(+startsAt, 'each program starts at the end of the previous one').to.equal(time);
      time = +endsAt;
      return { name: title, length: (+endsAt - +startsAt) / minute };
    });
  }

  it('matches a plain list after any sequence of changes', async function many() {
    this.timeout(20_000 + numRuns * 2_000);
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 9 }), async (changes) => {
        const channelId = await schedule.castChannel();
        let list: Named[] = [];
        for (const change of changes) list = await make(channelId, list, change);
        expect(await listOf(channelId)).to.deep.equal(list);
      }),
      { numRuns, endOnFailure: true },
    );
  });

  it('contains every program once after fifty concurrent changes', async function parallel() {
    this.timeout(60_000);
    const channelId = await schedule.castChannel();
    const path = schedule.dayPath(channelId, 3);
    const first = Array.from({ length: 20 }, (_, number) => entryOf(`first ${number}`, number, number + 1));
    bodyOf(
      200,
      await schedule.post(path, { programs: first.map(({ type, ...program }) => ({ ...program, programType: type })) }),
    );
    const post = (operation: string, body: object) => schedule.post(`${path}/${operation}`, body);
    const responses = await Promise.all([
      ...Array.from({ length: 25 }, (_, number) =>
        post('insert', {
          index: number % 5,
          sourceItems: [{ sourceType: 'BREAK', title: `added ${number}`, duration: 60 }],
        }),
      ),
      ...Array.from({ length: 15 }, (_, number) => post('move', { fromIndex: number % 7, toIndex: (number * 3) % 8 })),
      ...Array.from({ length: 10 }, (_, number) => post('remove', { index: number % 4, count: 1 })),
    ]);
    expect(responses.map(({ status, text }) => (status === 200 ? 'made' : text))).to.deep.equal(
      responses.map(() => 'made'),
    );
    const list = await listOf(channelId);
    expect(list).to.have.length(35);
    expect(new Set(list.map(({ name }) => name)).size).to.equal(35);
    expect(list.every(({ length }) => length === 1)).to.equal(true);
  });

  it('accepts one of fifty concurrent replacements with the same tag', async () => {
    const channelId = await schedule.castChannel();
    const tag = (await schedule.read(channelId, 3)).headers.get('etag') ?? '';
    const { type: programType, ...program } = entryOf('only', 0, 60);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        schedule.save(channelId, 3, [{ ...program, programType, title: `version ${number}` }], { 'if-match': tag }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses.filter((status) => status === 412)).to.have.length(49);
  });

  it('accepts either the deletion of a content or a concurrent program with it', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async (_, number) => {
        const channelId = await schedule.castChannel();
        const sourceId = await schedule.film(3600);
        const { type: _type, ...times } = entryOf('film', number, number + 10);
        const [saved, removed] = await Promise.all([
          schedule.save(channelId, 3, [{ ...times, programType: 'PRERECORDED', sourceId }]),
          schedule.remove(`/api/box/${sourceId}`),
        ]);
        return `${saved.status} ${removed.status}`;
      }),
    );
    for (const outcome of outcomes) expect(outcome).to.be.oneOf(['200 409', '400 204']);
  });
});
