import { expect } from 'chai';
import { PendingConnections } from '../../../workers/rtmp/pendingConnections.js';
import { StartRate } from '../../../workers/rtmp/startRate.js';

describe('connections that do not publish yet', () => {
  function pending(pendingConnections: number, pendingConnectionsPerAddress: number) {
    const connections = new PendingConnections({ pendingConnections, pendingConnectionsPerAddress });
    const ended: string[] = [];
    const enter = (address: string, name: string): (() => void) => connections.enter(address, () => ended.push(name));
    return { connections, ended, enter };
  }

  it('are closed for a new one of their address, the oldest first', () => {
    const { connections, ended, enter } = pending(10, 2);
    const leave = enter('192.0.2.1', 'first');
    for (const name of ['second', 'third']) enter('::ffff:192.0.2.1', name);
    enter('192.0.2.2', 'other');
    expect(ended).to.deep.equal(['first']);
    leave();
    leave();
    expect(connections.total).to.equal(3);
    enter('192.0.2.1', 'fourth');
    expect(ended).to.deep.equal(['first', 'second']);
  });

  it('are closed for any new one, at the address with the most connections', () => {
    const { connections, ended, enter } = pending(4, 3);
    enter('192.0.2.1', 'of nobody else');
    for (const name of ['1', '2', '3']) enter(`2001:db8::${name}`, name);
    enter('192.0.2.3', 'another');
    enter('192.0.2.4', 'another');
    expect(ended).to.deep.equal(['1', '2']);
    for (let at = 0; at < 1000; at += 1) enter(`198.51.${at >> 8}.${at & 255}`, 'many');
    expect(connections.total).to.equal(4);
  });
});

describe('the connection start rate', () => {
  const never = new AbortController().signal;

  it('permits a burst and delays further connections in order, separately for each address', async () => {
    const rate = new StartRate({ atOnce: 2, perSecond: 20 });
    const begun: number[] = [];
    const turns = [1, 2, 3, 4, 5].map(async (number) => {
      await rate.turn('a', never);
      begun.push(number);
    });
    const since = performance.now();
    await rate.turn('b', never);
    expect(begun).to.deep.equal([1, 2]);
    await Promise.all(turns);
    expect(begun).to.deep.equal([1, 2, 3, 4, 5]);
    expect(performance.now() - since).to.be.within(150, 1500);
  });

  it('skips connections that have closed', async () => {
    const rate = new StartRate({ atOnce: 1, perSecond: 10 });
    await rate.turn('a', never);
    const leaving = new AbortController();
    const left = Array.from({ length: 9 }, () => rate.turn('a', leaving.signal));
    const since = performance.now();
    leaving.abort();
    await Promise.all([...left, rate.turn('a', never)]);
    expect(performance.now() - since).to.be.below(1000);
  });
});
