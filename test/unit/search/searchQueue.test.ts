import { expect } from 'chai';
import { UnavailableError } from '../../../shared/platform/errors.js';
import { createSearchQueue } from '../../../shared/platform/search/postgres/searchQueue.js';

describe('search queue', () => {
  /** A search that ends when `end` is called. */
  const heldSearch = () => {
    let end: () => void = () => {};
    const held = new Promise<void>((resolve) => (end = resolve));
    return { search: () => held, end };
  };

  it('runs a bounded number of searches at once', async () => {
    const queue = createSearchQueue(2);
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        queue.run(undefined, async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
        }),
      ),
    );
    expect(most).to.equal(2);
  });

  it('rejects a search where too many wait', async () => {
    const queue = createSearchQueue(1);
    const { search, end } = heldSearch();
    const accepted = Array.from({ length: 201 }, () => queue.run(undefined, search));
    await new Promise((resolve) => setImmediate(resolve));
    const error = await queue.run(undefined, search).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(UnavailableError);
    end();
    await Promise.all(accepted);
  });

  it('does not start the search of a caller who has disconnected', async () => {
    const queue = createSearchQueue(1);
    const { search, end } = heldSearch();
    const first = queue.run(undefined, search);
    const caller = new AbortController();
    const second = queue.run(caller.signal, async () => expect.fail('the search was started')).catch(String);
    caller.abort();
    end();
    await first;
    expect(await second).to.contain('AbortError');
  });
});
