import { expect } from 'chai';
import { pullUrlOf } from '../../../shared/streaming/pullUrl.js';

describe('pullUrlOf', () => {
  it('replaces the placeholders, and nothing else', () => {
    expect(pullUrlOf('rtmp://10.0.0.5/{app}/{streamPath}', { app: 'live', streamPath: 'news.1' })).to.equal(
      'rtmp://10.0.0.5/live/news.1',
    );
    expect(pullUrlOf('srt://h:8890?streamid=read:{streamPath}', { app: '', streamPath: 'a-b_c' })).to.equal(
      'srt://h:8890?streamid=read:a-b_c',
    );
    expect(pullUrlOf('rtmp://h/{app}/{streamPath}', { app: 'live/eu', streamPath: 'x' })).to.equal(
      'rtmp://h/live/eu/x',
    );
  });

  it('refuses an application that could change the address', () => {
    for (const app of [
      '',
      '.',
      '..',
      '../x',
      'a/../b',
      'a//b',
      '/a',
      'a/',
      '@evil',
      'a?b',
      'a#b',
      'a b',
      'a%2f',
      'ä',
      'x'.repeat(65),
    ])
      expect(pullUrlOf('rtmp://h/{app}/{streamPath}', { app, streamPath: 'x' }), app).to.equal(null);
  });

  it('escapes a stream path, whatever it is, so that the host stays', () => {
    for (const streamPath of ['@evil/x', '?a=b', '#x', 'a/../b', ' ', '\n']) {
      const url = new URL(pullUrlOf('rtmp://h:1935/live/{streamPath}', { app: '', streamPath }) ?? '');
      expect([url.host, url.search, url.hash], streamPath).to.deep.equal(['h:1935', '', '']);
    }
  });
});
