import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { projectFile } from '../../support/projectFile.js';

/** The module runs in browsers, so it is not compiled. */
const { preferencesOf } = await import(pathToFileURL(projectFile('api/pages/embed/preferences.js')).href);

const secondsOf = (text: string): number => preferencesOf(`?t=${encodeURIComponent(text)}`, Infinity).startSeconds;
const none = { startSeconds: 0, autoplay: false, muted: false, loop: false };

describe('player page: the parameters of its address', () => {
  it('accept seconds, and hours, minutes and seconds', () => {
    const read = ['90', '12.5', '90s', '1m30s', '2m', '1h2m3s', '1h', '0'].map(secondsOf);
    expect(read).to.deep.equal([90, 12.5, 90, 90, 120, 3723, 3600, 0]);
  });

  it('start at the beginning with any other time', () => {
    for (const text of ['', '-5', '1e9', '30s1m', '1:30', ' 90', '٣', '9999999', 'h', 'NaN', '1m 30s'])
      expect(secondsOf(text), text).to.equal(0);
  });

  it('accept flags that are empty, 1 or true', () => {
    expect(preferencesOf('?vod=x', 60)).to.deep.equal(none);
    expect(preferencesOf('?autoplay&muted=1&loop=true', 60)).to.deep.equal({
      ...none,
      autoplay: true,
      muted: true,
      loop: true,
    });
    expect(preferencesOf('?autoplay=0&muted=false&loop=yes', 60)).to.deep.equal(none);
  });

  it('start at the beginning if the time is after the end', () => {
    expect(preferencesOf('?t=59', 60).startSeconds).to.equal(59);
    for (const query of ['?t=60', '?t=99h']) expect(preferencesOf(query, 60).startSeconds).to.equal(0);
    expect(preferencesOf('?t=10').startSeconds).to.equal(0);
  });

  it('are harmless with any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(secondsOf(text)).to.be.within(0, 1e7);
        expect(preferencesOf(`?t=${text}&loop=${text}`, 60).startSeconds).to.be.within(0, 60);
      }),
    );
  });
});
