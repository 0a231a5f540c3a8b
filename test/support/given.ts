import type { Context, Suite } from 'mocha';

type Close = () => unknown;

/** By suite, what its hook closes, in the order in which it was opened. */
const closings = { afterAll: new WeakMap<Suite, Close[]>(), afterEach: new WeakMap<Suite, Close[]>() };

/**
 * What `open` makes before the tests of the `describe` that calls this: its members are there from then on. What has a
 * `close` is closed after the tests and after the `after` hooks of the `describe`, last in first out.
 */
export function given<Value extends object>(open: () => Value | Promise<Value>, close = closeOf<Value>): Value {
  const value = {} as Value;
  before(async function () {
    become(value, await open());
    closeLater(this, 'afterAll', () => close(value));
  });
  return value;
}

/** The same before each test of the `describe`, and closed after each. */
export function givenEach<Value extends object>(open: () => Value | Promise<Value>): Value {
  const value = {} as Value;
  beforeEach(async function () {
    become(value, await open());
    closeLater(this, 'afterEach', () => closeOf(value));
  });
  return value;
}

function become(value: object, opened: object): void {
  for (const name of Reflect.ownKeys(value)) Reflect.deleteProperty(value, name);
  Object.setPrototypeOf(value, Object.getPrototypeOf(opened) as object);
  Object.defineProperties(value, Object.getOwnPropertyDescriptors(opened));
}

function closeOf<Value extends object>(value: Value): unknown {
  return 'close' in value && typeof value.close === 'function' ? value.close() : undefined;
}

/** The hook is added while the tests run, so that it comes after those that the `describe` declares. */
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
