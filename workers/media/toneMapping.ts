/** Luminance of SDR white in HDR video (ITU-R BT.2408), and the maximum luminance of PQ, in cd/m2. */
const white = 203;
const brightest = 10_000;
/**
 * Up to this share of white, brightness is unchanged: faces and text are as bright as in SDR video. White is mapped to 91 % of the
 * signal, and brighter areas to the range up to 100 %. The hable curve would use most of the range for them.
 */
const linearShare = 0.6;

/** Filters that convert high dynamic range video for SDR displays. Empty for other video. */
export function toneMapping(transfer: 'pq' | 'hlg' | null): string[] {
  if (transfer === null) return [];
  const input = transfer === 'pq' ? 'smpte2084' : 'arib-std-b67';
  return [
    `zscale=tin=${input}:min=bt2020nc:pin=bt2020:t=linear:npl=${white}`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    `tonemap=mobius:param=${linearShare}:peak=${(brightest / white).toFixed(2)}:desat=0`,
    'zscale=t=bt709:m=bt709:r=limited',
  ];
}
