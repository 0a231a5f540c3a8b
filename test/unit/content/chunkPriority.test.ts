import { expect } from 'chai';
import fc from 'fast-check';
import { nextPriority, priorityAt } from '../../../shared/content/chunkPriority.js';

interface Waiting {
  readonly owner: number;
  readonly video: number;
  readonly priority: number;
}

/** The chunk queue in the order in which workers take jobs: lowest priority number first, then first in, first out. */
class Line {
  readonly #waiting: Waiting[] = [];
  #videos = 0;

  arrive(owner: number, chunks: number, isBehindOthers = false): number {
    const like = this.#waiting.filter(({ priority }) => priority >= 1_000_000 === isBehindOthers);
    const running = like.length === 0 ? null : Math.min(...like.map(({ priority }) => priority));
    const owned = like.filter((chunk) => chunk.owner === owner).map(({ priority }) => priority);
    const first = nextPriority(running, owned.length === 0 ? null : Math.max(...owned), isBehindOthers);
    const video = (this.#videos += 1);
    for (let position = 0; position < chunks; position += 1)
      this.#waiting.push({ owner, video, priority: priorityAt(first, position) });
    return video;
  }

  take(): Waiting | undefined {
    const lowest = Math.min(...this.#waiting.map(({ priority }) => priority));
    const index = this.#waiting.findIndex(({ priority }) => priority === lowest);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }
}

describe('chunkPriority', () => {
  it('puts a short clip before the rest of a long video of another owner', () => {
    const line = new Line();
    line.arrive(1, 300);
    for (let taken = 0; taken < 100; taken += 1) line.take();
    const clip = line.arrive(2, 1);
    const next = [line.take(), line.take()].map((chunk) => chunk?.video);
    expect(next).to.include(clip);
  });

  it('alternates between the videos of two owners, in any order of arrival and at any progress', () => {
    const line = new Line();
    line.arrive(1, 300);
    for (let taken = 0; taken < 100; taken += 1) line.take();
    line.arrive(2, 300);
    const owners = Array.from({ length: 20 }, () => line.take()?.owner);
    expect(owners.filter((owner) => owner === 1)).to.have.length.within(9, 11);
  });

  it('puts the videos of one owner one after the other, and their first chunks first', () => {
    const line = new Line();
    line.arrive(1, 5);
    line.arrive(1, 5);
    expect(Array.from({ length: 10 }, () => line.take()?.video)).to.deep.equal([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
  });

  it('puts the videos of owners beyond their allowance after all others, which alternate among themselves', () => {
    const line = new Line();
    line.arrive(1, 4, true);
    line.arrive(2, 2, true);
    line.arrive(3, 3);
    line.take();
    line.arrive(4, 2);
    const owners = Array.from({ length: 10 }, () => line.take()?.owner);
    expect(owners.slice(0, 4)).to.have.members([3, 3, 4, 4]);
    expect(owners.slice(4)).to.deep.equal([1, 2, 1, 2, 1, 1]);
  });

  it('limits each owner to a fair share while others wait', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 5, max: 40 }), { minLength: 2, maxLength: 4 }), (videos) => {
        const line = new Line();
        videos.forEach((chunks, owner) => line.arrive(owner, chunks));
        const rounds = Math.min(...videos);
        const taken = videos.map(() => 0);
        for (let turn = 0; turn < rounds * videos.length; turn += 1) {
          const owner = line.take()?.owner ?? 0;
          taken[owner] = (taken[owner] ?? 0) + 1;
          expect(Math.max(...taken) - Math.min(...taken)).to.be.at.most(1);
        }
      }),
    ));
});
