import { expect } from 'chai';
import { ReplicaProgress } from '../../../shared/platform/database/replicaProgress.js';

describe('the progress of a replica', () => {
  it('is not known at first', () => {
    const progress = new ReplicaProgress();
    expect(progress.has(0)).to.equal(false);
    expect(progress.lagMs(1_000)).to.equal(Infinity);
  });

  it('has what was replayed', () => {
    const progress = new ReplicaProgress();
    progress.replayed(100);
    expect([99, 100, 101].map((position) => progress.has(position))).to.deep.equal([true, true, false]);
  });

  it('is as current as the last position of the primary that was replayed', () => {
    const progress = new ReplicaProgress();
    progress.written(100, 1_000);
    progress.replayed(99);
    expect(progress.lagMs(2_000)).to.equal(Infinity);
    progress.written(200, 2_000);
    progress.replayed(150);
    expect(progress.lagMs(3_000), '100 was written at 1,000').to.equal(2_000);
    progress.written(300, 3_000);
    progress.replayed(299);
    expect(progress.lagMs(4_000)).to.equal(3_000);
    progress.replayed(300);
    expect(progress.lagMs(4_000)).to.equal(1_000);
  });
});
