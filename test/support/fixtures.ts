import type { Context, Suite } from 'mocha';
import { startApi, type TestApi } from './api.js';
import { openTestContext, type TestContext, type TestOptions } from './context.js';
import { closeAtEnd, exemptFromLeakCheck } from './testFaults.js';

type Close = () => unknown;

/** By suite: the functions that its hook calls to close fixtures, in opening order. */
const closings = { afterAll: new WeakMap<Suite, Close[]>(), afterEach: new WeakMap<Suite, Close[]>() };

/**
 * Returns a proxy of the object that `open` creates before the tests of the calling `describe`. An object with `close` is
 * closed after the tests and after the `after` hooks of the `describe`, last in first out.
 */
export function useFixture<Value extends object>(open: () => Value | Promise<Value>, close = closeOf<Value>): Value {
  const { standIn, standFor } = newStandIn<Value>();
  before(async function () {
    const opened = standFor(await open());
    closeLater(this, 'afterAll', () => close(opened));
  });
  return standIn;
}

/** Like `useFixture`, but opened before and closed after each test. */
export function fixtureEach<Value extends object>(open: () => Value | Promise<Value>): Value {
  const { standIn, standFor } = newStandIn<Value>();
  beforeEach(async function () {
    const opened = standFor(await open());
    closeLater(this, 'afterEach', () => closeOf(opened));
  });
  return standIn;
}

/** Creates a proxy whose members are those of the opened object. */
function newStandIn<Value extends object>(): { standIn: Value; standFor: (opened: Value) => Value } {
  let opened: Value | undefined;
  const present = (): Value => {
    if (!opened) throw new Error('a fixture is open only in tests and hooks');
    return opened;
  };
  const standIn = new Proxy({} as Value, {
    get(_, name) {
      const member: unknown = Reflect.get(present(), name);
      // A class method reads private fields, so it is bound to the opened object.
      const isMethod = typeof member === 'function' && Reflect.getPrototypeOf(present()) !== Object.prototype;
      return isMethod ? (member.bind(present()) as unknown) : member;
    },
    set: (_, name, member) => Reflect.set(present(), name, member),
    has: (_, name) => Reflect.has(present(), name),
    deleteProperty: (_, name) => Reflect.deleteProperty(present(), name),
    defineProperty: (_, name, property) => Reflect.defineProperty(present(), name, property),
    ownKeys: () => Reflect.ownKeys(present()),
    getPrototypeOf: () => Reflect.getPrototypeOf(present()),
    getOwnPropertyDescriptor(_, name) {
      const property = Reflect.getOwnPropertyDescriptor(present(), name);
      return property && { ...property, configurable: true };
    },
  });
  return { standIn, standFor: (value) => (opened = value) };
}

function closeOf<Value extends object>(value: Value): unknown {
  return 'close' in value && typeof value.close === 'function' ? value.close() : undefined;
}

/** Adds the hook while the tests run, so that it runs after the hooks that the `describe` declares. */
function closeLater(context: Context, hook: keyof typeof closings, close: Close): void {
  const suite = context.test?.parent;
  if (!suite) throw new Error('not in a describe');
  let list = closings[hook].get(suite);
  if (!list) {
    const added: Close[] = (list = []);
    closings[hook].set(suite, added);
    suite[hook]('close', async () => {
      for (const closeOne of added.splice(0).toReversed()) await closeOne();
    });
  }
  list.push(close);
}

/** A context, and its API on a port. */
export interface SharedService {
  readonly ctx: TestContext;
  readonly api: TestApi;
}

export interface TestService extends SharedService {
  readonly close: () => Promise<void>;
}

/** Opens a separate service. */
export async function openService(overrides: Record<string, string> = {}, options?: TestOptions): Promise<TestService> {
  const ctx = await openTestContext(overrides, options);
  const api = await startApi(ctx);
  return {
    ctx,
    api,
    async close() {
      await api.close();
      await ctx.close();
    },
  };
}

let opened: Promise<TestService> | undefined;

/**
 * The service of this process, opened at the first call: one database, one folder, no workers. Tests create their own users,
 * items and names, do not expect empty tables, and advance the clock only forward. A test that needs an empty
 * database, other settings or workers opens a separate context (`openTestContext`). It is closed after the last test; its
 * `close` does nothing.
 */
export function sharedService(): Promise<TestService> {
  return (opened ??= exemptFromLeakCheck(openShared));
}

async function openShared(): Promise<TestService> {
  const { ctx, api, close } = await openService();
  closeAtEnd(close);
  const stay = async (): Promise<void> => {};
  return { ctx: { ...ctx, close: stay }, api: { ...api, close: stay }, close: stay };
}

const leave = (): void => {};

type Settings = Record<string, string>;

/**
 * The shared service for the tests of the calling `describe`, or a separate one with settings or options. A function
 * reads its settings from a fixture that was opened before.
 */
export function serviceFixture(overrides?: Settings | (() => Settings), options?: TestOptions): SharedService {
  const service = useFixture(() => {
    if (!overrides && !options) return sharedService();
    return openService(typeof overrides === 'function' ? overrides() : overrides, options);
  });
  return { ctx: useFixture(() => service.ctx, leave), api: useFixture(() => service.api, leave) };
}
