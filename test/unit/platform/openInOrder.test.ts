import { expect } from 'chai';
import MailPool from 'nodemailer/lib/smtp-pool';
import CircuitBreaker from 'opossum';
import pg from 'pg';
import { Sequelize } from 'sequelize';
import sinon from 'sinon';
import { openContext } from '../../../shared/openContext.js';
import type { Config } from '../../../shared/platform/config.js';
import { contextPart, ContextParts } from '../../../shared/platform/contextParts.js';
import { openInOrder } from '../../../shared/platform/openInOrder.js';
import { readConfig } from '../../../shared/settings.js';
import { testEnvironment } from '../../support/environment.js';
import { rejection } from '../../support/rejection.js';

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

describe('a context', () => {
  afterEach(() => sinon.restore());

  /** Settings with one member that throws, so that the step that reads it fails. */
  function configWithout(member: keyof Config | null): Config {
    const more = {
      SMTP_URL: 'smtp://127.0.0.1:9',
      MEILI_URL: 'http://127.0.0.1:9',
      MEILI_API_KEY: 'key',
      REDIS_URL: '',
    };
    const config = readConfig('web', { ...testEnvironment('postgres://127.0.0.1:9/none', '/nowhere'), ...more });
    return new Proxy(config, {
      get(target, name, receiver) {
        if (name === member) throw new Error(`${name} failed`);
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
  }

  /** Records the order in which a context closes its members. */
  function noteClosings(): string[] {
    const closed: string[] = [];
    for (const [what, prototype, method] of [
      ['mail', MailPool.prototype, 'close'],
      ['database', Sequelize.prototype, 'close'],
      ['queues', pg.Pool.prototype, 'end'],
      ['search', CircuitBreaker.prototype, 'shutdown'],
    ] as const) {
      const stub = sinon.stub(prototype as unknown as Record<string, () => unknown>, method);
      stub.callsFake(function note(this: unknown, ...parameters: unknown[]) {
        closed.push(what);
        return stub.wrappedMethod.apply(this, parameters as []);
      });
    }
    return closed;
  }

  it('closes its members in reverse order, at its end and after a failed step', async () => {
    for (const [member, expected] of [
      ['mail', []],
      ['database', ['mail']],
      ['redis', ['database', 'mail']],
      ['meili', ['queues', 'database', 'mail']],
      ['payments', ['search', 'queues', 'database', 'mail']],
      [null, ['search', 'queues', 'database', 'mail']],
    ] as const) {
      const closed = noteClosings();
      const opening = openContext(configWithout(member));
      if (member === null) await (await opening).close();
      else expect(await rejection(opening)).to.have.property('message', `${member} failed`);
      expect(closed, `without ${member}`).to.deep.equal(expected);
      sinon.restore();
    }
  });
});
