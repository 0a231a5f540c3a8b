import { randomBytes } from 'node:crypto';
import type { Client } from '../client.js';
import { createActor, type Actor } from './actor.js';
import type { Trace } from './trace.js';

/** What a user must say of themselves to deal in money (`docs/contract.md#choices-users`). */
const finance = {
  taxCode: 'LVLDAA85T50H501X',
  billingAddress: { country: 'IT', state: 'RM', city: 'Roma', street: 'Via Appia 1', zipCode: '00179' },
};

interface BenchContext {
  readonly client: Client;
  readonly trace: Trace;
}

/** Registers somebody, who logs in. */
export async function register(bench: BenchContext, name: string): Promise<Actor> {
  const { client, trace } = bench;
  const password = randomBytes(12).toString('base64url');
  const open = await client.token({ grant_type: 'client_credentials' });
  await client.post('/api/public/user/register', open, {
    ...{ userCode: name, password, passwordConfirm: password, conditionsAccepted: true, language: 'en' },
    ...profileOf(name),
  });
  trace.step(name, 'POST /api/public/user/register', 'registered');
  return createActor(bench, name, await client.token({ grant_type: 'password', username: name, password }));
}

/** Says who is paid, and where they live. */
export async function becomeDealer(actor: Actor): Promise<void> {
  const body = { profile: profileOf(actor.name), finance: { ...finance, paypalEmail: `${actor.name}@example.org` } };
  await actor.post('/api/user/me', body, () => 'may deal in money');
}

/** Somebody without an account. */
export async function visitor(bench: BenchContext, name: string): Promise<Actor> {
  return createActor(bench, name, await bench.client.token({ grant_type: 'client_credentials' }));
}

function profileOf(name: string) {
  return { firstName: name, lastName: 'Demo', birthDate: '01/01/1990', email: `${name}@example.org` };
}
