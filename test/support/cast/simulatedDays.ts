import { expect } from 'chai';
import { daysFrom } from '../../../shared/cast/programming/day.js';
import type { AiredProgram } from '../../../shared/cast/playout/index.js';
import { timeZoneOf } from '../../../shared/platform/formats/timeZone.js';
import { Random } from './random.js';
import { freeze, SimulatedChannel } from './simulatedChannel.js';
import { second } from './simulatedPrograms.js';
import { SimulatedProcess, SimulatedViewers } from './simulatedViewers.js';

/* Times are microseconds since 1970. */

const minute = 60 * second;
/** The job requests cuts less often than in a deployment, to keep the simulation fast. */
const preparedEvery = 5 * minute;

export interface Simulation {
  readonly seed: number;
  readonly zone: string;
  readonly firstDay: number;
  readonly dayCount: number;
  readonly hasCuts: boolean;
}

interface Outcome {
  readonly channel: SimulatedChannel;
  readonly segments: number;
  /** The period in which no process ran. */
  readonly stopped: { readonly from: number; readonly until: number };
}

/**
 * Simulates some days of a channel: a job every minute, random edits, and viewers who come and go and read from two
 * alternating processes. Halfway, all processes stop for some minutes, and new ones start.
 */
function simulate({ seed, zone, firstDay, dayCount, hasCuts }: Simulation): Outcome {
  const random = new Random(seed);
  const channel = new SimulatedChannel(random, hasCuts);
  const viewers = new SimulatedViewers();
  const days = daysFrom(timeZoneOf(zone)!, firstDay, dayCount);
  const [start, end] = [days[0]!.from.getTime() * 1000, days.at(-1)!.until.getTime() * 1000];
  const stoppedAt = (start + end) / 2;
  const stopped = { from: stoppedAt, until: stoppedAt + random.between(1, 20) * minute };
  let processes = [new SimulatedProcess(channel), new SimulatedProcess(channel)];
  let [extendedAt, preparedAt, watchedUntil] = [0, 0, 0];
  for (const { from, until } of days) channel.edit(start - 10 * minute, from.getTime() * 1000, until.getTime() * 1000);
  for (let now = start + second; now < end;) {
    if (now > stopped.from && now < stopped.until) {
      now = stopped.until;
      processes = [new SimulatedProcess(channel), new SimulatedProcess(channel)];
    }
    if (random.between(1, 1_000) === 1) {
      channel.edit(now, Math.ceil((now + freeze) / second) * second + random.between(0, 7_200) * second, end);
      preparedAt = 0;
    }
    if (now - extendedAt >= minute) channel.extend((extendedAt = now));
    if (now - preparedAt >= preparedEvery) channel.prepare((preparedAt = now));
    if (now < watchedUntil) viewers.read(random.of(processes).playlist(now), now);
    else if (random.between(1, 60) === 1) watchedUntil = now + random.between(1, 20) * minute;
    now += now < watchedUntil ? random.between(500, 8_000) * 1_000 : minute;
  }
  return { channel, segments: viewers.count, stopped };
}

/** Start errors in seconds, smallest first, of the programs that could start as programmed. */
function errorsOf({ channel, stopped }: Outcome, counts: (before: AiredProgram | undefined) => boolean): number[] {
  const { list } = channel.programs;
  const errors = list.flatMap((program, index) => {
    const error = channel.startErrors.get(program.programId);
    const before = list[index - 1];
    const previous = before?.endsAt === program.startsAt ? before : undefined;
    const wasStopped = program.startsAt > stopped.from - 3 * minute && program.startsAt < stopped.until + minute;
    return error === undefined || wasStopped || !counts(previous) ? [] : [Math.abs(error) / second];
  });
  return errors.toSorted((left, right) => left - right);
}

/**
 * Fails if a rule of RFC 8216 is broken, or a program starts too late or too early. With cuts, programs start within a quarter
 * of a second, except after a live program or without their cut. Returns the start errors as text.
 */
export function expectInTime(simulation: Simulation): string {
  const outcome = simulate(simulation);
  const { dayCount, hasCuts } = simulation;
  if (!hasCuts) {
    const errors = errorsOf(outcome, () => true);
    expect(errors.length).to.be.above(17 * dayCount);
    expect(errors.at(-1)).to.be.at.most(1);
    return figuresOf(errors);
  }
  const isMissed = ({ media }: AiredProgram): boolean =>
    media.kind === 'CONTENT' && outcome.channel.missedCuts.has(media.content.contentId);
  const isRounded = (before: AiredProgram | undefined): boolean =>
    before !== undefined && (before.media.kind === 'LIVE' || isMissed(before));
  const exact = errorsOf(outcome, (before) => !isRounded(before));
  const rounded = errorsOf(outcome, isRounded);
  expect(outcome.segments).to.be.above(2_100 * dayCount);
  expect(exact.length).to.be.above(29 * dayCount);
  expect(exact.at(-1)).to.be.at.most(0.25);
  expect(rounded.at(-1)).to.be.at.most(1);
  return `${figuresOf(exact)}; after live programs and without a cut: ${figuresOf(rounded)}`;
}

function figuresOf(errors: readonly number[]): string {
  const median = errors[errors.length >> 1] ?? 0;
  return `median ${median.toFixed(3)} s, worst ${(errors.at(-1) ?? 0).toFixed(3)} s of ${errors.length} programs`;
}
