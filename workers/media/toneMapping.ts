/** Filters that convert high dynamic range video for normal displays. None for other video. */
export function toneMapping(transfer: 'pq' | 'hlg' | null): string[] {
  if (transfer === null) return [];
  const input = transfer === 'pq' ? 'smpte2084' : 'arib-std-b67';
  return [
    `zscale=tin=${input}:min=bt2020nc:pin=bt2020:t=linear:npl=203`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=limited',
  ];
}
