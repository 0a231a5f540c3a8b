import { expect } from 'chai';
import { contextPart, ContextParts } from '../../../shared/platform/contextParts.js';
import { openInOrder } from '../../../shared/platform/openInOrder.js';
import { rejection } from '../../support/eventually.js';

interface Parted {
  readonly tag: string;
  readonly parts: ContextParts;
}

describe('openInOrder', () => {
  const steps = ['first', 'second', 'third'];
  let closed: string[];
  beforeEach(() => (closed = []));

  /** Opens the steps; the one named `failing` fails. */
  const open = (failing?: string, close: (step: string) => unknown = () => {}) =>
    openInOrder(async (onClose) => {
      for (const step of steps) {
        if (step === failing) throw new Error(`${step} failed`);
        onClose(async () => {
          closed.push(step);
          await close(step);
        });
      }
      return { steps };
    });

  it('closes the opened steps once, in reverse order', async () => {
    const opened = await open();
    expect([opened.steps, closed]).to.deep.equal([steps, []]);
    await Promise.all([opened.close(), opened.close()]);
    await opened.close();
    expect(closed).to.deep.equal(steps.toReversed());
  });

  it('closes the opened steps if a later step fails', async () => {
    for (const [position, step] of steps.entries()) {
      closed = [];
      expect(await rejection(open(step))).to.have.property('message', `${step} failed`);
      expect(closed).to.deep.equal(steps.slice(0, position).toReversed());
    }
  });

  it('closes all steps even if one fails to close, and rejects with that error', async () => {
    const failing = (step: string): void => {
      if (step === 'second') throw new Error('not closed');
    };
    const opened = await open(undefined, failing);
    expect(await rejection(opened.close())).to.have.property('message', 'not closed');
    expect(closed).to.deep.equal(steps.toReversed());
    closed = [];
    expect(await rejection(open('third', failing))).to.have.property('message', 'third failed');
    expect(closed).to.deep.equal(['second', 'first']);
  });
});

describe('the parts of a context', () => {
  it('are created at first use, once for a context and its copies, and closed in reverse order', async () => {
    const closed: string[] = [];
    const part = (name: string) =>
      contextPart(
        (ctx: { tag: string }) => ({ name, of: ctx.tag }),
        ({ of }) => closed.push(name + of),
      );
    const [first, second] = [part('first'), part('second')];
    const [one, other] = ['one', 'other'].map((tag) => ({ tag, parts: new ContextParts() })) as [Parted, Parted];
    expect(first(one))
      .to.deep.equal({ name: 'first', of: 'one' })
      .and.equal(first({ ...one, tag: 'copy' }));
    expect([second(one).of, first(other).of]).to.deep.equal(['one', 'other']);
    await one.parts.close();
    await one.parts.close();
    expect(closed).to.deep.equal(['secondone', 'firstone']);
    part('late')(one);
    expect(closed.at(-1)).to.equal('lateone');
  });
});
