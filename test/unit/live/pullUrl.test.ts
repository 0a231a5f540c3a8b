import { expect } from 'chai';
import { pullUrlOf } from '../../../shared/streaming/pullUrl.js';

describe('pullUrlOf', () => {
  it('replaces the placeholders, and nothing else', () => {
    for (const [template, app, streamPath, url] of [
      ['rtmp://10.0.0.5/{app}/{streamPath}', 'live', 'news.1', 'rtmp://10.0.0.5/live/news.1'],
      ['srt://h:8890?streamid=read:{streamPath}', '', 'a-b_c', 'srt://h:8890?streamid=read:a-b_c'],
      ['rtmp://h/{app}/{streamPath}', 'live/eu', 'x', 'rtmp://h/live/eu/x'],
    ] as const)
      expect(pullUrlOf(template, { app, streamPath })).to.equal(url);
  });

  it('rejects an application name that could change the address', () => {
    const paths = ['', '.', '..', '../x', 'a/../b', 'a//b', '/a', 'a/'];
    for (const app of [...paths, '@evil', 'a?b', 'a#b', 'a b', 'a%2f', 'ä', 'x'.repeat(65)])
      expect(pullUrlOf('rtmp://h/{app}/{streamPath}', { app, streamPath: 'x' }), app).to.equal(null);
  });

  it('escapes any stream path, so that the host does not change', () => {
    for (const streamPath of ['@evil/x', '?a=b', '#x', 'a/../b', ' ', '\n']) {
      const url = new URL(pullUrlOf('rtmp://h:1935/live/{streamPath}', { app: '', streamPath }) ?? '');
      expect([url.host, url.search, url.hash], streamPath).to.deep.equal(['h:1935', '', '']);
    }
  });
});
