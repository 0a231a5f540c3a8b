import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * The network whose requests are counted together: an IPv4 address, or the /64 of an IPv6 address, because a subscriber has at
 * least a /64. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) counts as IPv4. Texts other than addresses, which a proxy may
 * report, count together as `unknown`.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return 'unknown';
  const groups = groupsOf(plain);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return mappedIPv4(groups);
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of an IPv6 address. The URL parser normalizes every notation, without dotted groups. */
function groupsOf(address: string): number[] {
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const first = numbersOf(before);
  const last = numbersOf(after ?? '');
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function numbersOf(groups: string): number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16));
}

function mappedIPv4(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** A list of addresses and networks in a setting: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`. */
export class NetworkList {
  readonly #list = new BlockList();

  /** Throws RangeError if an entry is neither an address nor a network. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', prefix, ...others] = entry.split('/');
      const version = isIP(address);
      const longest = version === 4 ? 32 : 128;
      const isValid = version !== 0 && others.length === 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix));
      const bits = Number(prefix ?? longest);
      if (!isValid || bits > longest) throw new RangeError(`neither an address nor a network: ${entry}`);
      this.#list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
    }
  }

  /** Accepts an IPv4 address in IPv6 notation. False if the text is not an address. */
  includes(address: string): boolean {
    const plain = address.split('%', 1)[0] ?? address;
    const version = isIP(plain);
    return version !== 0 && this.#list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  }
}
