import { randomBytes } from 'node:crypto';
import { localClient } from '../../../scripts/sample/demoState.js';
import { postRegistration } from '../../../scripts/sample/demoUser.js';
import type { Context } from '../../../shared/platform/context.js';
import { createActor, type Actor } from './actor.js';
import type { Trace } from './trace.js';

/** The details that a user needs before selling (`docs/contract.md#choices-users`). */
const finance = {
  taxCode: 'LVLDAA85T50H501X',
  billingAddress: { country: 'IT', state: 'RM', city: 'Roma', street: 'Via Appia 1', zipCode: '00179' },
};

interface DemoContext {
  readonly ctx: Context;
  readonly trace: Trace;
}

/** Registers a user and logs in. */
export async function register({ ctx, trace }: DemoContext, name: string): Promise<Actor> {
  const client = localClient(ctx.config);
  const account = { userCode: name, password: randomBytes(12).toString('base64url') };
  await postRegistration(client, account, profileOf(name));
  trace.step(name, 'POST /api/public/user/register', 'registered');
  await client.logIn(account.userCode, account.password);
  return createActor(trace, name, client);
}

/** Adds payout address, tax code, billing address, and the password that live events need. */
export async function addSellerDetails(actor: Actor): Promise<void> {
  const body = {
    profile: profileOf(actor.name),
    finance: { ...finance, paypalEmail: `${actor.name}@example.org` },
    features: { livePassword: randomBytes(12).toString('base64url') },
  };
  await actor.call(
    (api) => api.POST('/api/user/me', { body }),
    () => 'may sell and buy',
  );
}

/** A buyer without an account. */
export function withoutAccount({ ctx, trace }: DemoContext, name: string): Actor {
  return createActor(trace, name, localClient(ctx.config));
}

function profileOf(name: string) {
  return { firstName: name, lastName: 'Demo', birthDate: '01/01/1990', email: `${name}@example.org` };
}
