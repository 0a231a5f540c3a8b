/** An outlet of a filter graph, and the filters that make it from the outlet before. */
export interface ScaledOutlet {
  readonly outlet: string;
  readonly filter: string;
}

/** Scales to a size, in square pixels. Without accurate rounding each scaling loses detail in dark areas. */
export function scaledTo({ width, height }: { readonly width: number; readonly height: number }): string {
  return `scale=${width}:${height}:flags=bicubic+accurate_rnd,setsar=1`;
}

/**
 * The end of a filter graph that has several outlets, the largest first. Each is scaled from the one before, which has fewer pixels to
 * read than the source.
 */
export function scaledInTurn(outlets: readonly ScaledOutlet[]): string {
  const steps = outlets.map(({ outlet, filter }, index) =>
    index < outlets.length - 1 ? `${filter},split[${outlet}][larger${index}];[larger${index}]` : `${filter}[${outlet}]`,
  );
  return steps.join('');
}
