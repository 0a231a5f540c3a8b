import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { projectFile } from '../../support/projectFile.js';

/** The module runs in browsers, so it is not compiled. */
const { forcedTrackFor } = await import(pathToFileURL(projectFile('api/pages/embed/forcedTrack.js')).href);

const english = { forced: true, lang: 'en-US' };
const german = { forced: true, lang: 'de' };
const unknown = { forced: true };
const full = { forced: false, lang: 'en' };

describe('forcedTrackFor', () => {
  const cases: readonly (readonly [string, readonly object[], object | undefined, readonly string[], unknown])[] = [
    ['the language of the audio', [full, german, english], { default: true, lang: 'en' }, ['de'], english],
    ['the language of other audio', [english, german], { default: false, lang: 'de' }, ['en'], german],
    ['none with other audio', [english, unknown], { default: false, lang: 'fr' }, ['en'], undefined],
    ['a language that the viewer prefers', [english, german], { default: true, lang: 'fr' }, ['es', 'de-AT'], german],
    ['a language that the viewer does not prefer', [english], { default: true, lang: 'fr' }, ['de'], undefined],
    ['an unknown language', [english, unknown], { default: true, lang: 'fr' }, ['de'], unknown],
    ['audio in an unknown language', [english, german], { default: true }, ['fr'], english],
    ['one audio alone', [german], undefined, ['en'], german],
    ['no forced captions', [full], undefined, ['en'], undefined],
  ];
  for (const [name, tracks, audio, languages, expected] of cases) {
    it(`returns the matching track or none: ${name}`, () =>
      expect(forcedTrackFor(tracks, audio, languages)).to.equal(expected));
  }
});
