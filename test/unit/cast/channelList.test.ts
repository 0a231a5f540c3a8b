import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { GuideChannel } from '../../../shared/cast/guide/guide.queries.js';
import { channelList } from '../../../shared/cast/guide/channelList.js';
import type { GuideAddresses } from '../../../shared/cast/guide/guideAddresses.js';

const addresses: GuideAddresses = {
  home: 'https://video.example.org',
  icon: (id) => `https://video.example.org/icon/${id}`,
  page: (id) => `https://video.example.org/embed/?cast=${id}`,
  playlist: (id) => `https://video.example.org/${id}/playlist.m3u8`,
  guide: (userCode) => `https://video.example.org/epg.xml${userCode ? `?userCode=${userCode}` : ''}`,
};

const aChannel = (members: Partial<GuideChannel> = {}): GuideChannel => ({
  ...{ id: randomUUID(), name: 'News', thumbnailId: null, publisherName: 'Ada' },
  ...members,
});

/** The value of an attribute, as players read it: up to the next quote. */
function attributeOf(line: string, name: string): string | undefined {
  return new RegExp(`${name}="([^"]*)"`).exec(line)?.[1];
}

describe('The M3U list of channels', () => {
  it('has the attributes with which players match it to the guide', () => {
    const channels = [aChannel({ id: 'c1', thumbnailId: 't1' }), aChannel({ id: 'c2', name: 'Sports, live; "all"' })];
    expect(channelList(channels, addresses, undefined)).to.equal(`\
#EXTM3U url-tvg="https://video.example.org/epg.xml" x-tvg-url="https://video.example.org/epg.xml"
#EXTINF:-1 tvg-id="c1" tvg-name="News" tvg-logo="https://video.example.org/icon/t1" group-title="Ada",News
https://video.example.org/c1/playlist.m3u8
#EXTINF:-1 tvg-id="c2" tvg-name="Sports - live; 'all'" group-title="Ada",Sports - live; 'all'
https://video.example.org/c2/playlist.m3u8
`);
  });

  it('names the guide of the publisher whose channels it lists', () => {
    expect(channelList([], addresses, 'ada')).to.equal(
      '#EXTM3U url-tvg="https://video.example.org/epg.xml?userCode=ada" x-tvg-url="https://video.example.org/epg.xml?userCode=ada"\n',
    );
  });

  it('escapes names, so that none adds a line or an attribute or hides the next name', () => {
    const lineEnds = ['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029', '\u000b', '\u000c', '\0'];
    const attack = lineEnds.map((end) => `x${end}#EXTINF:-1 tvg-id="c9",Other${end}http://evil.example/"`);
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...attack, ',', '"', ';', ''));
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 5 }), (named) => {
        const channels = named.map(([name, publisherName]) => aChannel({ name, publisherName }));
        // oxlint-disable-next-line no-control-regex -- every character that some player reads as the end of a line
        const lines = channelList(channels, addresses, undefined).split(/[\n\r\u0085\u2028\u2029\u000b\u000c]/);
        expect(lines).to.have.length(1 + 2 * channels.length + 1);
        for (const [position, { id }] of channels.entries()) {
          const [info = '', address] = lines.slice(1 + 2 * position);
          expect(address).to.equal(addresses.playlist(id));
          expect(attributeOf(info, 'tvg-id')).to.equal(id);
          const name = attributeOf(info, 'tvg-name');
          expect(name).not.to.equal('');
          expect(info.slice(info.indexOf(',') + 1), 'after the first comma').to.equal(name);
          expect(info.slice(info.lastIndexOf(',') + 1), 'after the last comma').to.equal(name);
          expect(attributeOf(info, 'group-title')).not.to.contain(';');
          expect(info.match(/"/g)).to.have.length(6);
        }
      }),
    );
  });
});
