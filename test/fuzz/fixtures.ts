import { randomUUID } from 'node:crypto';
import { issuePublicTokens } from '../../shared/oauth/token.service.js';
import { addSlate } from '../support/cast/playoutFixture.js';
import { createPublisher, type Call, type Target } from './publisher.js';
import type { Names } from './jsonTree.js';

/** Two publishers who sell to each other: their tokens and the ids of their items. */
export interface Fixtures {
  readonly tokens: { readonly user: string; readonly other: string; readonly public: string };
  readonly names: Names;
}

/** Creates new fixtures. For an item that could not be created, requests use an id that does not exist. */
export async function createFixtures(target: Target): Promise<Fixtures> {
  // No worker renders the slate, without which channels have no playlists.
  await addSlate(target.ctx, null);
  const [open, one, other] = await Promise.all([
    issuePublicTokens(target.ctx, target.ctx.config.oauth.clients[0].id),
    createPublisher(target),
    createPublisher(target),
  ]);
  const bought = await buySomething(target, one.call, other.names);
  const names = Object.keys(one.names).map((name) => [
    name,
    [...(one.names[name] ?? []), ...(other.names[name] ?? [])],
  ]);
  return {
    tokens: { user: one.token, other: other.token, public: open.access_token },
    names: { ...(Object.fromEntries(names) as Names), ...words, ...bought },
  };
}

/** Values that need no database row. */
const words: Names = {
  // That of every test user.
  password: ['correct horse'],
  licenseName: ['Entry', 'Basic', 'Free', 'Business', 'entry', 'None'],
  url: ['https://shop.example.org/paid?item=1', 'http://localhost:3000/cancelled#x'],
  activationUrl: ['https://app.example.org/activate?token=${token}', 'https://app.example.org/${token}/${token}'],
  price: ['12,50', '0,01', '3,00', '999,99'],
  queryString: ['video', 'vid*', 'a video', 'x'],
  tags: ['drama', 'comedy'],
  language: ['en', 'it', 'pt-BR'],
  country: ['IT', 'FR', 'US', 'Francia', 'côte d’ivoire', ' united kingdom '],
  birthDate: ['10/12/1985', '01/01/2000'],
  date: ['31/12/2040', '01/01/2041', '10/10/2030'],
  time: ['20:00:00', '21:30:00', '23:59:59'],
  day: ['20401010', '20401011', '20300101'],
  integration: ['integration'],
  provider: ['sandbox'],
  path: ['master.m3u8', 'v0/index.m3u8', 'v0/init.mp4'],
  progressId: [randomUUID()],
};

/** Starts two payments for each kind of purchase and pays the second one. */
async function buySomething({ url }: Target, call: Call, seller: Names): Promise<Names> {
  const body = { returnUrl: 'https://shop.example.org/paid', cancelUrl: 'https://shop.example.org/cancelled' };
  const things = [
    ...[`/api/vod/${seller['vodId']?.[1]}/pay`, `/api/contentbundle/${seller['bundleId']?.[0]}/subscribe`],
    ...[`/api/marketplace/${seller['marketplaceId']?.[0]}/pay`, '/api/license/Entry/subscribe'],
  ];
  const started = await Promise.all([...things, ...things].map((path) => call(path, body)));
  // The service's public URL may differ from the address that the fuzzer uses.
  const checkouts = started.flatMap((one) => (one['url'] ? new URL(new URL(one['url']).pathname, url).href : []));
  await Promise.all(checkouts.slice(things.length).map(payInSandbox));
  return {
    trackingId: started.flatMap(({ trackingId }) => trackingId ?? []),
    reference: checkouts.flatMap((checkout) => checkout.split('/').at(-1) ?? []),
  };
}

async function payInSandbox(checkout: string): Promise<void> {
  const body = new URLSearchParams({ action: 'pay' });
  await (await fetch(checkout, { method: 'POST', body, redirect: 'manual' })).arrayBuffer();
}
