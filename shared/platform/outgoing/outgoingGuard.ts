import { BlockList, isIP } from 'node:net';
import { ServiceError } from '../errors.js';
import type { Config } from '../config.js';
import { NetworkList } from '../formats/network.js';
import { hostResolver, type ResolveHost } from './resolveHost.js';

/** A request to this address is not permitted. The message is for the user who supplied the address. */
export class OutgoingRefusedError extends ServiceError {
  constructor(
    /** A machine-readable code: `docs/contract.md#choices-outgoing`. */
    readonly code: 'scheme' | 'credentials' | 'address' | 'name' | 'redirects',
    detail: string,
  ) {
    super({ key: `outgoing.${code}`, detail });
  }
}

/** Creates the guard from the settings of a process. */
export function outgoingGuardOf({ outgoing }: Pick<Config, 'outgoing'>): OutgoingGuard {
  return new OutgoingGuard(new NetworkList(outgoing.allowedNetworks));
}

/** A URL with a resolved address: the request goes to this address, even if the name later resolves to another one. */
export interface PinnedTarget {
  readonly url: URL;
  readonly address: string;
}

/** Special-purpose address ranges (IANA): no public server uses them. */
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
 * Public IPv6 addresses are `2000::/3`, except for these ranges: addresses that embed an IPv4 address (6to4, Teredo),
 * documentation, and experimental networks. All others, including IPv4-mapped addresses and NAT64, are rejected.
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
 * Restricts requests to user-supplied URLs: imports, webhooks, pulled streams. Only `http` and `https` are permitted, and only
 * public addresses and the networks in `OUTGOING_ALLOWED_NETWORKS`.
 */
export class OutgoingGuard {
  constructor(
    private readonly allowed: NetworkList,
    private readonly resolveHost: ResolveHost = hostResolver(),
  ) {}

  /** Checks a URL without resolving its name. Throws OutgoingRefusedError. */
  parse(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw new OutgoingRefusedError('scheme', 'the scheme is neither http nor https');
    if (url.username !== '' || url.password !== '')
      throw new OutgoingRefusedError('credentials', 'the address contains credentials');
    const literal = literalOf(url);
    if (literal !== null) this.#assertAllowed(literal);
    return url;
  }

  /**
   * Resolves a name once. The request must use the checked address, because the next lookup may return another one (DNS
   * rebinding). Throws OutgoingRefusedError.
   */
  async pin(text: string): Promise<PinnedTarget> {
    const url = this.parse(text);
    const literal = literalOf(url);
    if (literal !== null) return { url, address: literal };
    const addresses = await this.resolveHost(url.hostname).catch((cause: unknown) => {
      throw new OutgoingRefusedError('name', `${url.hostname} has no address: ${(cause as Error).message}`);
    });
    // All addresses must be permitted: repeated attempts would otherwise reach a forbidden one.
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

/** The URL parser normalizes all spellings of an IPv4 address (decimal, octal, hexadecimal, short) to four numbers. */
function literalOf({ hostname }: URL): string | null {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(address) === 0 ? null : address;
}
