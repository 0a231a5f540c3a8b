import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { projectFile } from '../../support/projectFile.js';

/** The module runs in browsers, so it is not compiled. */
const { betterOf, noteOf } = await import(pathToFileURL(projectFile('api/pages/embed/better.js')).href);

const path = (grant: string, generation: number) => `/platform/s/${grant}/content/4f2c/g${generation}/master.m3u8`;

describe('player page: the better quality of a recently uploaded video', () => {
  it('is in preparation while the server reports progress', () => {
    expect(betterOf({ preparing: 0, path: path('one', 1) }, path('one', 1))).to.equal('preparing');
  });

  it('is ready if the generation in the path differs, and not if only the grant differs', () => {
    expect(betterOf({ path: path('two', 2) }, path('one', 1))).to.equal('ready');
    expect(betterOf({ path: path('two', 1) }, path('one', 1))).to.equal('none');
  });

  it('has a note in the language of the page', () => {
    const words = { 'better.preparing': 'En préparation : {{percent}}', 'better.ready': 'Prête' };
    expect(noteOf('preparing', { preparing: 42 }, words, 'fr').replaceAll(/\s/g, ' ')).to.equal(
      'En préparation : 42 %',
    );
    expect(noteOf('ready', {}, words, 'fr')).to.equal('Prête');
    expect(noteOf('none', {}, words, 'fr')).to.equal('');
  });
});
