import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { GuideChannel, GuideProgram } from '../../../shared/cast/guide/guide.queries.js';
import type { GuideAddresses } from '../../../shared/cast/guide/guideAddresses.js';
import { xmltvOf } from '../../../shared/cast/guide/xmltv.js';
import { programsIn, xmltvErrors } from '../../support/xmltv.js';
import { itWith, requirements } from '../../support/requirements.js';

const addresses: GuideAddresses = {
  home: 'https://video.example.org/a&b',
  icon: (id) => `https://video.example.org/icon/${id}?a=1&b=2`,
  page: (id) => `https://video.example.org/embed/?cast=${id}`,
  playlist: (id) => `https://video.example.org/${id}.m3u8`,
  guide: () => 'https://video.example.org/epg.xml',
};

const aChannel = (members: Partial<GuideChannel> = {}): GuideChannel => ({
  ...{ id: randomUUID(), name: 'Channel', thumbnailId: null, publisherName: 'Ada' },
  ...members,
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
