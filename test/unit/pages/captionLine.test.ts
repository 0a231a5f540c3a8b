import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { projectFile } from '../../support/projectFile.js';

/** The module runs in browsers, so it is not compiled. */
const { lineWithControls } = await import(pathToFileURL(projectFile('api/pages/embed/captionLine.js')).href);

const cue = (line: number | 'auto', snapToLines = true, text = 'one\ntwo') => ({ line, snapToLines, text });

describe('player page: the line of a caption while controls of four lines are shown', () => {
  it('is above the controls for a bottom caption', () => {
    const placed = [cue('auto'), cue('auto', true, 'one'), cue(-1), cue(12), cue(80, false)].map((one) =>
      lineWithControls(one, { controlLines: 4, isLifted: false }),
    );
    expect(placed).to.deep.equal([-6, -5, -5, -6, 55]);
  });

  it('does not change for a top caption', () => {
    for (const top of [cue(0), cue(7), cue(10, false)])
      expect(lineWithControls(top, { controlLines: 4, isLifted: false })).to.equal(top.line);
  });

  it('moves down for a top caption, and not for a bottom caption, if the page lifts all captions', () => {
    const placed = [cue(0), cue(10, false), cue('auto'), cue(-1), cue(80, false)].map((one) =>
      lineWithControls(one, { controlLines: 4, isLifted: true }),
    );
    expect(placed).to.deep.equal([4, 35, 'auto', -1, 80]);
  });
});
