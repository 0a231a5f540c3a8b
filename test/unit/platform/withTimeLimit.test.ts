import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { TimeoutError, withTimeLimit } from '../../../shared/platform/withTimeout.js';

describe('withTimeLimit', () => {
  const endless = (signal: AbortSignal): Promise<never> =>
    once(signal, 'abort').then(() => Promise.reject(signal.reason as Error));
  const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

  it('aborts after its time, also when garbage is collected meanwhile', async () => {
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
