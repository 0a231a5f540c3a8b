/* Position of captions while the controls are visible. Pure: no page. */

/** Half of the video's height, in lines or percent. */
const halfOf = ({ snapToLines }) => (snapToLines ? 8 : 50);

const isAtTop = (cue) => typeof cue.line === 'number' && cue.line >= 0 && cue.line < halfOf(cue);

/**
 * The `line` of a cue while the controls, with the height `controlLines`, are visible. `isLifted`: the page moves all captions up
 * by this height, so captions at the top are moved down. Otherwise captions at the bottom are moved up. `cue` has the line of its
 * file.
 */
export function lineWithControls(cue, { controlLines, isLifted }) {
  if (isAtTop(cue) !== isLifted) return cue.line;
  const step = (controlLines * halfOf(cue)) / 8;
  if (isLifted) return cue.line + step;
  const isFromBottom = typeof cue.line === 'number' && (cue.line < 0 || !cue.snapToLines);
  return isFromBottom ? cue.line - step : -(step + cue.text.split('\n').length);
}
