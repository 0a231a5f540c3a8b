import { expect } from 'chai';
import { plannedPrograms } from '../../../tools/demo/cast/plannedPrograms.js';
import { drawTimetable } from '../../../tools/demo/cast/drawnTimetable.js';

const noon = Date.UTC(2026, 10, 22, 12);
const program = (title: string, fromSecond: number, untilSecond: number, kind = 'PRERECORDED') => ({
  ...{ title, kind },
  startsAt: noon + fromSecond * 1000,
  endsAt: noon + untilSecond * 1000,
});
const programs = [program('One', 0, 60), program('Break', 60, 75, 'BREAK'), program('A rather long title', 90, 150)];
const view = { programs, rows: 10, width: 70, colours: false, timeZone: 'UTC' };
const drawn = (second: number, more: object = {}) => drawTimetable({ ...view, now: noon + second * 1000, ...more });

describe('npm run demo:cast: the timetable', () => {
  it('marks the program on air with its aired part, and shows gaps between programs', () =>
    expect(drawn(45)).to.deep.equal([
      '   Start     End       Program       Kind',
      '▶  12:00:00  12:01:00  One           video  ███████████████░░░░░ 0:15 left',
      '   12:01:00  12:01:15  Break         slate',
      '   12:01:15  12:01:30  (nothing pr…  slate',
      '   12:01:30  12:02:30  A rather lo…  video',
    ]));

  it('marks a time before the first program and the first second of a program, and nothing after the last program', () => {
    expect(drawn(-30)[1]).to.match(/^▶ {2}11:59:30 {2}12:00:00 .* ░{20} 0:30 left$/);
    expect(drawn(60)[2]).to.match(/^▶ {2}12:01:00/);
    expect(drawn(150).join('')).to.not.include('▶');
    expect(drawn(0, { programs: [] })).to.have.lengthOf(1);
  });

  it('keeps one past program and fits the terminal', () => {
    const many = Array.from({ length: 30 }, (_each, index) => program(`P${index}`, index * 10, index * 10 + 10));
    const lines = drawn(105, { programs: many, rows: 5, width: 200 });
    expect(lines.map((line) => /P\d+/.exec(line)?.[0])).to.deep.equal([undefined, 'P9', 'P10', 'P11', 'P12', 'P13']);
    expect(drawn(295, { programs: many, rows: 5 }).at(-1)).to.match(/^▶.* P29 /);
  });

  it('has colors on a terminal', () =>
    expect(drawn(45, { colours: true })[1]?.startsWith('\u001B[36m▶')).to.equal(true));
});

describe('npm run demo:cast: the programs', () => {
  const clip = (title: string, duration: string) => ({ boxId: `box of ${title}`, title, duration, status: 'READY' });
  const clips = [clip('One', '0:24'), clip('Two', '0:40'), clip('Three', '0:30')];
  const lengths = (from: number, seconds: number, of = clips) =>
    plannedPrograms(of, from, from + seconds * 1000).map(({ title, startsAt, endsAt }) => ({
      title,
      seconds: (endsAt - startsAt) / 1000,
    }));

  it('follow each other without gaps for the complete duration, with breaks and offsets', () => {
    const planned = plannedPrograms(clips, noon, noon + 600_000);
    planned.slice(1).forEach(({ startsAt }, index) => expect(startsAt).to.equal(planned[index]?.endsAt));
    expect(planned[0]?.startsAt).to.equal(noon);
    expect(planned.at(-1)?.endsAt).to.be.within(noon + 600_000, noon + 660_000);
    expect(lengths(noon, 135)).to.deep.equal([
      { title: 'One', seconds: 24 },
      { title: 'Two', seconds: 40 },
      { title: 'Break', seconds: 16 },
      { title: 'Three', seconds: 30 },
      { title: 'Two, from second 15', seconds: 25 },
    ]);
  });

  it('are no longer than their clips', () => {
    const short = clips.map(({ title }) => clip(title, '0:02'));
    expect(lengths(noon, 20, short)).to.deep.equal([
      { title: 'One', seconds: 2 },
      { title: 'Two', seconds: 2 },
      { title: 'Break', seconds: 16 },
    ]);
  });
});
