import { BlockList, isIP } from 'node:net';
import { ServiceError } from '../errors.js';
import type { Config } from '../config.js';
import { NetworkList } from '../formats/network.js';
import { hostResolver, type ResolveHost } from './resolveHost.js';

/** An address that this service does not send requests to. The message is for who has named the address. */
export class OutgoingRefusedError extends ServiceError {
  constructor(
    /** A word for programs: `docs/contract.md#choices-outgoing`. */
    readonly code: 'scheme' | 'credentials' | 'address' | 'name' | 'redirects',
    detail: string,
  ) {
    super({ key: `outgoing.${code}`, detail });
  }
}

/** The guard of a process with these settings. */
export function outgoingGuardOf({ outgoing }: Pick<Config, 'outgoing'>): OutgoingGuard {
  return new OutgoingGuard(new NetworkList(outgoing.allowedNetworks));
}

/** A host whose address is known: a request goes there, whatever its name means a moment later. */
export interface PinnedTarget {
  readonly url: URL;
  readonly address: string;
}

/** Address ranges with a purpose of their own (IANA): no public server has one of them. */
const specialNetworks: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * The public part of IPv6 is `2000::/3`; of that, these lead elsewhere: addresses that contain an IPv4 address (6to4, Teredo),
 * documentation, and networks of experiments. What is outside, mapped IPv4 addresses and NAT64 among it, is refused.
 */
const publicIPv6 = ['2000::', 3] as const;
const specialIPv6Networks: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of specialNetworks) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of specialIPv6Networks) special.addSubnet(network, prefix, 'ipv6');
const publicAddresses = new BlockList();
publicAddresses.addSubnet(...publicIPv6, 'ipv6');

function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4');
  return isIP(address) === 6 && publicAddresses.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/**
 * Decides where requests of this service may go that somebody else has named: imports, webhooks, pulled streams. Only
 * `http` and `https`, and only public addresses, with those networks besides that the operator permits
 * (`OUTGOING_ALLOWED_NETWORKS`).
 */
export class OutgoingGuard {
  constructor(
    private readonly allowed: NetworkList,
    private readonly resolveHost: ResolveHost = hostResolver(),
  ) {}

  /** What an address says by itself, without a look-up of its name. Throws OutgoingRefusedError. */
  parse(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw new OutgoingRefusedError('scheme', 'neither http nor https');
    if (url.username !== '' || url.password !== '')
      throw new OutgoingRefusedError('credentials', 'the address has credentials');
    const literal = literalOf(url);
    if (literal !== null) this.#assertAllowed(literal);
    return url;
  }

  /**
   * Looks a name up once. The request must go to the address that was checked: a name may mean another one at its next look-up.
   * Throws OutgoingRefusedError.
   */
  async pin(text: string): Promise<PinnedTarget> {
    const url = this.parse(text);
    const literal = literalOf(url);
    if (literal !== null) return { url, address: literal };
    const addresses = await this.resolveHost(url.hostname).catch((cause: unknown) => {
      throw new OutgoingRefusedError('name', `${url.hostname} has no address: ${(cause as Error).message}`);
    });
    // One that is refused would otherwise be reached by trying again and again.
    for (const address of addresses) this.#assertAllowed(address);
    const [address] = addresses;
    if (address === undefined) throw new OutgoingRefusedError('name', `${url.hostname} has no address`);
    return { url, address };
  }

  #assertAllowed(address: string): void {
    if (isPublic(address) || this.allowed.includes(address)) return;
    throw new OutgoingRefusedError('address', `${address} is not a public address`);
  }
}

/** The URL parser has written all spellings of an IPv4 address (decimal, octal, hexadecimal, short) as four numbers. */
function literalOf({ hostname }: URL): string | null {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(address) === 0 ? null : address;
}
