import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { createSingleFlight } from '../../../shared/payment/singleFlight.js';
import { allEnded } from '../../../shared/platform/allEnded.js';
import { Concurrency } from '../../../shared/platform/concurrency.js';
import { TooManyRequestsError, UnavailableError } from '../../../shared/platform/errors.js';
import { FairQueue } from '../../../shared/platform/fairQueue.js';
import { TimeoutError, withTimeLimit } from '../../../shared/platform/withTimeout.js';
import { eventually, rejection } from '../../support/eventually.js';

describe('Concurrency', () => {
  it('runs the permitted number of tasks of each key, the others in call order', async () => {
    const concurrency = new Concurrency();
    const began: number[] = [];
    const ends: (() => void)[] = [];
    const run = (key: string, number: number) =>
      concurrency.runInSlot(key, 2, () => {
        began.push(number);
        return new Promise<void>((end) => ends.push(end));
      });
    const all = [run('a', 1), run('a', 2), run('a', 3), run('a', 4), run('b', 5)];
    await new Promise(setImmediate);
    expect(began).to.deep.equal([1, 2, 5]);
    ends[1]?.();
    await new Promise(setImmediate);
    expect(began).to.deep.equal([1, 2, 5, 3]);
    ends[0]?.();
    await new Promise(setImmediate);
    for (const end of ends) end();
    await Promise.all(all);
    expect(began).to.deep.equal([1, 2, 5, 3, 4]);
  });

  it('rejects a task if a hundred wait, and releases the slot of a failed task', async () => {
    const concurrency = new Concurrency();
    let end = (): void => {};
    const first = concurrency.runInSlot('a', 1, () => new Promise<void>((resolve) => (end = resolve)));
    const failed = rejection(concurrency.runInSlot('a', 1, () => Promise.reject(new Error('wrong'))));
    const waiting = Array.from({ length: 99 }, (_, number) => concurrency.runInSlot('a', 1, async () => number));
    const beyond = concurrency.runInSlot('a', 1, async () => -1);
    expect(await rejection(beyond)).to.be.instanceOf(TooManyRequestsError);
    end();
    await first;
    expect(await failed).to.have.property('message', 'wrong');
    expect(await Promise.all(waiting)).to.deep.equal(Array.from({ length: 99 }, (_, number) => number));
  });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('A fair queue', () => {
  let queue: FairQueue;
  let began: string[];
  let ends: Map<string, () => void>;

  beforeEach(() => {
    queue = new FairQueue({ running: 3, runningOfCaller: 2, waiting: 16, waitingOfCaller: 3 });
    began = [];
    ends = new Map();
  });

  /** A task that runs until `finish` is called with its name, which begins with the name of its caller. */
  const run = (name: string, signal?: AbortSignal): Promise<string> =>
    queue.run(
      name.slice(0, 1),
      async () => {
        began.push(name);
        await new Promise<void>((end) => ends.set(name, end));
        return name;
      },
      signal,
    );
  async function finish(name: string): Promise<void> {
    ends.get(name)?.();
    await turn();
  }

  async function finishAll(): Promise<void> {
    while (ends.size > 0) {
      for (const name of ends.keys()) {
        await finish(name);
        ends.delete(name);
      }
    }
  }

  it('limits running tasks in total and per caller, and alternates between callers', async () => {
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => run(name));
    await turn();
    expect(began, 'one slot is left for other callers').to.deep.equal(['a1', 'a2', 'b1']);
    await finish('a1');
    expect(began.slice(3)).to.deep.equal(['a3']);
    await finish('b1');
    expect(began.slice(4)).to.deep.equal(['b2']);
    await finish('a2');
    expect(began.slice(5), 'before the fourth of a').to.deep.equal(['c1']);
    for (const name of ['a3', 'b2', 'c1', 'a4']) await finish(name);
    expect(await Promise.all(all)).to.deep.equal(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  });

  it('rejects tasks beyond a caller’s share and starts another caller’s first task at once', async () => {
    const ada = Array.from({ length: 100 }, (_, number) => run(`a${number}`));
    const refused = Promise.all(ada.slice(5).map((one) => rejection(one)));
    const bob = run('b');
    expect(began).to.deep.equal(['a0', 'a1', 'b']);
    for (const error of await refused) expect(error).to.be.instanceOf(TooManyRequestsError);
    await finishAll();
    await Promise.all([bob, ...ada.slice(0, 5)]);
  });

  it('reserves most waiting slots for callers without one, and is unavailable if all are taken', async () => {
    const two = ['a', 'b', 'a', 'b', 'a', 'b'].map((name, number) => run(`${name}${number}`));
    const waiting = run('a-waits');
    expect(await rejection(run('a-beyond'))).to.be.instanceOf(TooManyRequestsError);
    const others = Array.from({ length: 12 }, (_, number) => run(String.fromCodePoint(0x63 + number)));
    expect(await rejection(run('z'))).to.be.instanceOf(UnavailableError);
    await finishAll();
    await Promise.all([...two, waiting, ...others]);
  });

  it('does not start a task whose caller has disconnected, and releases its waiting slot', async () => {
    const held = [run('a1'), run('a2')];
    const caller = new AbortController();
    const left = Array.from({ length: 3 }, (_, number) => rejection(run(`a-left${number}`, caller.signal)));
    caller.abort();
    for (const error of await Promise.all(left)) expect(error).to.have.property('name', 'AbortError');
    const next = Array.from({ length: 3 }, (_, number) => run(`a-next${number}`));
    expect(await rejection(run('a-beyond'))).to.be.instanceOf(TooManyRequestsError);
    await finishAll();
    await Promise.all([...held, ...next]);
    expect(began.filter((name) => name.includes('left'))).to.deep.equal([]);
  });

  it('rejects a task that has waited too long, and continues after a failed task', async () => {
    queue = new FairQueue({ running: 1, runningOfCaller: 1, waiting: 4, waitingOfCaller: 4, maxWaitMs: 20 });
    const first = run('a1');
    expect(await rejection(run('b'))).to.be.instanceOf(UnavailableError);
    await finish('a1');
    await first;
    const failed = queue.run('a', () => Promise.reject(new Error('wrong')));
    expect(await rejection(failed)).to.have.property('message', 'wrong');
    const last = run('c');
    await eventually(() => expect(began).to.include('c'));
    await finish('c');
    expect(await last).to.equal('c');
  });
});

describe('allEnded', () => {
  it('resolves with all results, in order', async () => {
    expect(await allEnded([Promise.resolve(1), Promise.resolve(2)])).to.deep.equal([1, 2]);
    expect(await allEnded([])).to.deep.equal([]);
  });

  it('rejects with the first error after all promises have settled', async () => {
    let end: (() => void) | undefined;
    let isEnded = false;
    const slow = new Promise<void>((resolve) => (end = resolve)).then(() => (isEnded = true));
    const failed = rejection(allEnded<unknown>([Promise.reject(new Error('first')), slow])).then(({ message }) => [
      message,
      isEnded,
    ]);
    setImmediate(() => end?.());
    expect(await failed).to.deep.equal(['first', true]);
  });
});

describe('withTimeLimit', () => {
  const endless = (signal: AbortSignal): Promise<never> =>
    once(signal, 'abort').then(() => Promise.reject(signal.reason as Error));
  const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

  it('aborts after its time, even if garbage is collected before', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const failure = failureOf(withTimeLimit(new AbortController().signal, 100, endless));
    for (let round = 0; round < 3; round += 1) {
      collect();
      await new Promise(setImmediate);
    }
    expect(await failure).to.be.instanceOf(TimeoutError);
  });

  it('aborts with the reason of the other signal', async () => {
    const controller = new AbortController();
    const failure = failureOf(withTimeLimit(controller.signal, 60_000, endless));
    controller.abort(new Error('enough'));
    expect(await failure).to.match(/enough/);
    expect(await failureOf(withTimeLimit(controller.signal, 60_000, endless))).to.match(/enough/);
  });
});

describe('single-flight', () => {
  interface Run {
    readonly end: (result: string) => void;
    readonly fail: (error: Error) => void;
  }
  let runs: Run[];
  let call: (key?: string) => Promise<string>;

  beforeEach(() => {
    const run = createSingleFlight<string>();
    runs = [];
    call = (key = 'a') =>
      run(key, (begin) => {
        begin();
        return new Promise<string>((resolve, reject) => runs.push({ end: resolve, fail: reject }));
      });
  });
  const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('starts one further run for all calls during a run', async () => {
    const first = call();
    const later = [call(), call(), call()];
    expect(runs).to.have.length(1);
    runs[0]?.end('one');
    expect(await first).to.equal('one');
    await soon();
    expect(runs).to.have.length(2);
    const last = call();
    runs[1]?.end('two');
    expect(await Promise.all(later)).to.deep.equal(['two', 'two', 'two']);
    await soon();
    runs[2]?.end('three');
    expect(await last).to.equal('three');
  });

  it('rejects only the callers of a failed run', async () => {
    const first = call();
    const second = call();
    runs[0]?.fail(new Error('no'));
    expect((await rejection(first)).message).to.equal('no');
    await soon();
    runs[1]?.end('yes');
    expect(await second).to.equal('yes');
    await soon();
    const third = call();
    expect(runs).to.have.length(3);
    runs[2]?.end('again');
    expect(await third).to.equal('again');
  });

  it('returns one result to all callers before the work starts', async () => {
    const run = createSingleFlight<string>();
    let begins = (): void => {};
    let count = 0;
    const gathering = (): Promise<string> =>
      run('a', async (begin) => {
        count += 1;
        await new Promise<void>((resolve) => (begins = resolve));
        begin();
        await soon();
        return `run ${count}`;
      });
    const early = [gathering(), gathering(), gathering()];
    begins();
    await Promise.resolve();
    await Promise.resolve();
    const late = gathering();
    expect(await Promise.all(early)).to.deep.equal(['run 1', 'run 1', 'run 1']);
    await soon();
    begins();
    expect(await late).to.equal('run 2');
  });

  it('runs different keys concurrently', async () => {
    const [first, second] = [call('a'), call('b')];
    runs[1]?.end('b');
    expect(await second).to.equal('b');
    runs[0]?.end('a');
    expect(await first).to.equal('a');
  });
});
