/* Where captions are shown while the controls are. Pure: no page. */

/** Browsers show about twice as many lines, or a hundred percent. */
const halfOf = ({ snapToLines }) => (snapToLines ? 8 : 50);

const isAtTop = (cue) => typeof cue.line === 'number' && cue.line >= 0 && cue.line < halfOf(cue);

/**
 * The `line` of a cue while controls are shown that are as high as `controlLines`. `isLifted`: the page moves all captions up by this height,
 * so those at the top have to go down. Otherwise those at the bottom go up. `cue` has the line that its file says.
 */
export function lineWithControls(cue, { controlLines, isLifted }) {
  if (isAtTop(cue) !== isLifted) return cue.line;
  const step = (controlLines * halfOf(cue)) / 8;
  if (isLifted) return cue.line + step;
  const isFromBottom = typeof cue.line === 'number' && (cue.line < 0 || !cue.snapToLines);
  return isFromBottom ? cue.line - step : -(step + cue.text.split('\n').length);
}
