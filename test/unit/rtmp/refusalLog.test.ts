import { expect } from 'chai';
import { pino } from 'pino';
import { RefusalLog } from '../../../workers/rtmp/refusalLog.js';
import { eventually } from '../../support/eventually.js';
import type { Refusal } from '../../../workers/rtmp/decisions.js';

describe('the log of rejected encoders', () => {
  let lines: Record<string, unknown>[];
  let counted: Refusal[];

  const open = (bounds: { linesPerAddress?: number; lines?: number; windowMs?: number }): RefusalLog => {
    [lines, counted] = [[], []];
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    return new RefusalLog({ log, bounds, onRefused: (refusal) => void counted.push(refusal) });
  };
  const refused = (remoteAddress: string): Refusal => ({ reason: 'wrong', remoteAddress });

  it('has one line for each, with its address and request', () => {
    const refusals = open({});
    refusals.add({ ...refused('192.0.2.1'), application: 'key', streamPath: 'x'.repeat(5000), user: 'alice' });
    refusals.add(refused('192.0.2.2'), new Error('no database'));
    const [first, second] = lines;
    expect(first).to.deep.equal({
      ...{ level: 30, msg: 'publish refused', reason: 'wrong', remoteAddress: '192.0.2.1', application: 'key' },
      ...{ streamPath: 'x'.repeat(256), user: 'alice' },
    });
    expect(second).to.include({ level: 50, remoteAddress: '192.0.2.2' }).and.to.have.property('err');
  });

  it('is limited for one address and in total, and counts the suppressed lines', () => {
    const refusals = open({ linesPerAddress: 3, lines: 5 });
    for (let at = 0; at < 10; at += 1) refusals.add(refused(`2001:db8::${at}`));
    for (let at = 0; at < 10; at += 1) refusals.add(refused(`192.0.2.${at}`));
    expect(lines).to.have.length(5);
    expect(counted).to.have.length(20);
    refusals.close();
    expect(lines.slice(5).map(({ msg, remoteAddress, suppressed }) => [msg, remoteAddress, suppressed])).to.deep.equal([
      ['more publishes refused', '2001:db8:0:0::/64', 7],
      ['more publishes refused', undefined, 8],
    ]);
    refusals.add(refused('192.0.2.1'));
    refusals.close();
    expect(lines).to.have.length(8);
  });

  it('has lines for a suppressed address again in the next window', async () => {
    const refusals = open({ linesPerAddress: 1, windowMs: 10 });
    refusals.add(refused('192.0.2.1'));
    refusals.add(refused('192.0.2.1'));
    await eventually(() => expect(lines.at(-1)).to.include({ suppressed: 1 }));
    refusals.add(refused('192.0.2.1'));
    expect(lines.at(-1)).to.include({ msg: 'publish refused' });
    refusals.close();
  });
});
