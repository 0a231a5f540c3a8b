import type { SourceColours } from '../../shared/media/sourceColours.js';
import { standardMatrix } from './colours.js';

/** An outlet of a filter graph, and the filters that derive it from the previous outlet. */
export interface ScaledOutlet {
  readonly outlet: string;
  readonly filter: string;
}

/**
 * Scales to a size, in square pixels. Without accurate rounding, each scaling loses detail in dark areas. With `colours`, those of
 * the input, the output is converted to the BT.709 matrix in limited range and tagged, because players interpret video without tags
 * differently. Primaries and transfer function are those of the input, which browsers convert. Scaling such an output again needs
 * no `colours`.
 */
export function scaledTo(
  { width, height }: { readonly width: number; readonly height: number },
  colours?: SourceColours,
): string {
  const scale = `scale=${width}:${height}:flags=bicubic+accurate_rnd`;
  if (!colours) return `${scale},setsar=1`;
  const { matrix = 'auto', primaries, transfer } = colours;
  const tags = [
    ...['range=limited', 'colorspace=bt709'],
    ...(primaries ? [`color_primaries=${primaries}`] : []),
    ...(transfer ? [`color_trc=${transfer}`] : []),
  ];
  const inMatrix = (other: string): string => `in_color_matrix=${matrix}:out_color_matrix=${other}:out_range=limited`;
  const steps =
    matrix === standardMatrix
      ? `${scale}:${inMatrix(matrix)},format=yuv420p,colormatrix=bt601:bt709`
      : // Any other matrix is converted through RGB, where greys would become slightly purple without full chroma.
        `${scale}+full_chroma_int:${inMatrix('bt709')}`;
  return `${steps},setsar=1,setparams=${tags.join(':')}`;
}

/**
 * The end of a filter graph with several outlets, the largest first. Each is scaled from the previous one, which has fewer pixels
 * than the source.
 */
export function scaledInOrder(outlets: readonly ScaledOutlet[]): string {
  const steps = outlets.map(({ outlet, filter }, index) =>
    index < outlets.length - 1 ? `${filter},split[${outlet}][larger${index}];[larger${index}]` : `${filter}[${outlet}]`,
  );
  return steps.join('');
}
