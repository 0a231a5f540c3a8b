import { expect } from 'chai';
import { TooManyRequestsError, UnavailableError } from '../../../shared/platform/errors.js';
import { FairQueue } from '../../../shared/platform/fairQueue.js';
import { eventually } from '../../support/eventually.js';
import { rejection } from '../../support/rejection.js';

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

  it('runs a bounded number at once, of all callers and of one; the turn passes from one to the next', async () => {
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => run(name));
    await turn();
    expect(began, 'one place is left for others').to.deep.equal(['a1', 'a2', 'b1']);
    await finish('a1');
    expect(began.slice(3)).to.deep.equal(['a3']);
    await finish('b1');
    expect(began.slice(4)).to.deep.equal(['b2']);
    await finish('a2');
    expect(began.slice(5), 'before the fourth of a').to.deep.equal(['c1']);
    for (const name of ['a3', 'b2', 'c1', 'a4']) await finish(name);
    expect(await Promise.all(all)).to.deep.equal(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  });

  it('rejects what exceeds the part of a caller, and begins the first of another one at once', async () => {
    const ada = Array.from({ length: 100 }, (_, number) => run(`a${number}`));
    const refused = Promise.all(ada.slice(5).map((one) => rejection(one)));
    const bob = run('b');
    expect(began).to.deep.equal(['a0', 'a1', 'b']);
    for (const error of await refused) expect(error).to.be.instanceOf(TooManyRequestsError);
    await finishAll();
    await Promise.all([bob, ...ada.slice(0, 5)]);
  });

  it('leaves most places to wait to callers that have none; beyond all places it is unavailable', async () => {
    const two = ['a', 'b', 'a', 'b', 'a', 'b'].map((name, number) => run(`${name}${number}`));
    const waiting = run('a-waits');
    expect(await rejection(run('a-beyond'))).to.be.instanceOf(TooManyRequestsError);
    const others = Array.from({ length: 12 }, (_, number) => run(String.fromCodePoint(0x63 + number)));
    expect(await rejection(run('z'))).to.be.instanceOf(UnavailableError);
    await finishAll();
    await Promise.all([...two, waiting, ...others]);
  });

  it('does not start a task whose caller has left, which gives its place back', async () => {
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

  it('rejects what has waited too long, and goes on after a task that fails', async () => {
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
