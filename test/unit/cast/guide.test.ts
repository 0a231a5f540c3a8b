import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { channelList } from '../../../shared/cast/guide/channelList.js';
import type { GuideChannel, GuideProgram } from '../../../shared/cast/guide/guide.queries.js';
import type { GuideAddresses } from '../../../shared/cast/guide/guideAddresses.js';
import { xmltvOf } from '../../../shared/cast/guide/xmltv.js';
import { itWith, requirements } from '../../support/requirements.js';
import { programsIn, xmltvErrors } from '../../support/xmltv.js';

const addresses: GuideAddresses = {
  home: 'https://video.example.org/a&b',
  icon: (id) => `https://video.example.org/icon/${id}?a=1&b=2`,
  page: (id) => `https://video.example.org/embed/?cast=${id}`,
  playlist: (id) => `https://video.example.org/${id}/playlist.m3u8`,
  guide: (userCode) => `https://video.example.org/epg.xml${userCode ? `?userCode=${userCode}` : ''}`,
};

const aChannel = (members: Partial<GuideChannel> = {}): GuideChannel => ({
  ...{ id: randomUUID(), name: 'Channel', thumbnailId: null, publisherName: 'Ada' },
  ...members,
});

/** The value of an attribute, as players read it: up to the next quote. */
function attributeOf(line: string, name: string): string | undefined {
  return new RegExp(`${name}="([^"]*)"`).exec(line)?.[1];
}

describe('The M3U list of channels', () => {
  it('has the attributes with which players match it to the guide', () => {
    const channels = [
      aChannel({ id: 'c1', name: 'News', thumbnailId: 't1' }),
      aChannel({ id: 'c2', name: 'Sports, live; "all"' }),
    ];
    expect(channelList(channels, addresses, undefined)).to.equal(`\
#EXTM3U url-tvg="https://video.example.org/epg.xml" x-tvg-url="https://video.example.org/epg.xml"
#EXTINF:-1 tvg-id="c1" tvg-name="News" tvg-logo="https://video.example.org/icon/t1?a=1&b=2" group-title="Ada",News
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

const start = new Date('2026-11-22T23:59:30Z');

const aProgram = (channelId: string, members: Partial<GuideProgram> = {}): GuideProgram => ({
  ...{
    id: randomUUID(),
    channelId,
    type: 'PRERECORDED',
    title: 'Film',
    description: null,
    thumbnailId: null,
    tags: [],
  },
  ...{ startsAt: start, endsAt: new Date(start.getTime() + 90_000) },
  ...members,
});

describe('The XMLTV guide', () => {
  it('has channels first, then programs, with elements in the order of the DTD', async () => {
    const channel = aChannel({ id: 'c1', name: 'A & <B>', thumbnailId: 't1' });
    const program = aProgram('c1', {
      title: 'I "quote"',
      description: 'One\nTwo',
      thumbnailId: 't2',
      tags: ['x', 'y>'],
    });
    expect(await xmltvOf({ channels: [channel], programs: [program] }, addresses, 'Video')).to.equal(`\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tv SYSTEM "xmltv.dtd">
<tv source-info-url="https://video.example.org/a&amp;b" source-info-name="Video" generator-info-name="Video">
  <channel id="c1">
    <display-name>A &amp; &lt;B&gt;</display-name>
    <icon src="https://video.example.org/icon/t1?a=1&amp;b=2"/>
    <url>https://video.example.org/embed/?cast=c1</url>
  </channel>
  <programme start="20261122235930 +0000" stop="20261123000100 +0000" channel="c1">
    <title>I &quot;quote&quot;</title>
    <desc>One
Two</desc>
    <category>x</category>
    <category>y&gt;</category>
    <icon src="https://video.example.org/icon/t2?a=1&amp;b=2"/>
  </programme>
</tv>
`);
  });

  it('leaves out characters that XML forbids, and never writes an empty element', async () => {
    const channel = aChannel({ id: 'c1', name: '\u0001\u0007' });
    const program = aProgram('c1', {
      ...{ title: 'a\u0000\u0008b\r\nc\ufffe\ud800', description: ' \u000b ', tags: ['\u0002', '\u0085d'] },
    });
    const text = await xmltvOf(
      { channels: [channel], programs: [program, aProgram('c1', { title: '\u001f' })] },
      addresses,
      'V',
    );
    expect(text).to.contain('<display-name>c1</display-name>');
    expect(text).to.contain('<title>ab c</title>').and.to.contain('<title>c1</title>');
    expect(text).to.contain('<category>d</category>');
    expect(text).not.to.contain('<desc>');
    // oxlint-disable-next-line no-control-regex -- these are searched for
    expect(text).not.to.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it('is written over many turns of the event loop', async () => {
    const channel = aChannel();
    const programs = Array.from({ length: 2_000 }, (_, number) => aProgram(channel.id, { title: `Film ${number}` }));
    let turns = 0;
    const counter = setInterval(() => (turns += 1), 0);
    const text = await xmltvOf({ channels: [channel], programs }, addresses, 'Video');
    clearInterval(counter);
    expect(programsIn(text).map(({ title }) => title)).to.deep.equal(programs.map(({ title }) => title));
    expect(turns).to.be.at.least(1);
  });

  itWith(requirements.xmllint, 'is valid against the DTD for any text', async function valid() {
    const anyText = fc.string({ unit: 'binary', maxLength: 60 });
    const channels: GuideChannel[] = [];
    const programs: GuideProgram[] = [];
    for (const [title, description, tag, name] of fc.sample(fc.tuple(anyText, anyText, anyText, anyText), 300)) {
      const channel = aChannel({ name, thumbnailId: 't' });
      channels.push(channel);
      programs.push(aProgram(channel.id, { title, description, tags: [tag, ']]>', '&amp;'], thumbnailId: 'u' }));
      programs.push(aProgram(channel.id, { title: `<!-- ${title} ]]>`, description: '<script>&nbsp;' }));
    }
    const text = await xmltvOf({ channels, programs }, addresses, '"V"<>&');
    expect(xmltvErrors(text)).to.equal('');
    expect(programsIn(text)).to.have.length(600);
    expect(xmltvErrors(text.replace('<title>', '<date>1</date><title>'))).to.contain('programme');
  });
});
