import { expect } from 'chai';
import { attachment, namedFile, plainFileName } from '../../../shared/platform/formats/contentDisposition.js';
import { networkOf, NetworkList } from '../../../shared/platform/formats/network.js';
import {
  localDay,
  localeOf,
  localMoney,
  localPeriod,
  localSeconds,
  localSpan,
  localTime,
} from '../../../shared/platform/formats/regionalFormat.js';
import { fixedZone, timeZoneOf, utc } from '../../../shared/platform/formats/timeZone.js';
import type { Language } from '../../../shared/platform/i18n.js';

describe('file names', () => {
  const names: readonly (readonly [string, string])[] = [
    ['video.mp4', 'video.mp4'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\videos\\summer.mov', 'summer.mov'],
    ['.htaccess', 'htaccess'],
    ['a\r\nSet-Cookie: x=1', 'aSet-Cookie x=1'],
    ['my "best" video?.mp4', 'my best video.mp4'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['naïve – 東京 💛.mp4', 'naïve – 東京 💛.mp4'],
    ['🎬 Ferien 2024 👨\u200D👩\u200D👧.mp4', '🎬 Ferien 2024 👨\u200D👩\u200D👧.mp4'],
    ['👩🏽\u200D💻 🏳\uFE0F\u200D🌈 می\u200Cخواهم क्\u200Dष.mp4', '👩🏽\u200D💻 🏳\uFE0F\u200D🌈 می\u200Cخواهم क्\u200Dष.mp4'],
    ['\u200Dpass\u200Dword\u200C.e\u200Dxe\u200D', 'password.exe'],
    ['.\u200D./\u200D..\u200D', ''],
    ['ש\u200D\u202E\u200Dgpj.exe', 'שgpj.exe'],
    ['..', ''],
    ['', ''],
  ];
  for (const [given, plain] of names)
    it(`change from ${JSON.stringify(given)} to ${JSON.stringify(plain)}`, () =>
      expect(plainFileName(given)).to.equal(plain));

  it('have at most 255 characters, and are cut between characters', () => {
    expect(plainFileName('💛'.repeat(400))).to.equal('💛'.repeat(255));
    expect(plainFileName('👨\u200D'.repeat(400))).to.equal(`${'👨\u200D'.repeat(127)}👨`);
    expect(plainFileName('👨\u200D👩'.repeat(200))).to.equal('👨\u200D👩'.repeat(85));
  });
});

describe('the file name of a received Content-Disposition', () => {
  const extended = "UTF-8''Ferien%20%F0%9F%8E%AC.mp4";
  for (const [header, name] of [
    [`attachment; filename*=${extended}; filename="x.mp4"`, 'Ferien 🎬.mp4'],
    [`attachment; filename="x.mp4"; filename*=${extended}`, 'Ferien 🎬.mp4'],
    ["attachment; filename*=ISO-8859-1''f%E9e.mp4", 'fée.mp4'],
    ["attachment; filename*=UTF-8''%E0%A4; filename=x.mp4", 'x.mp4'],
    ["attachment; filename*=koi8-r''%C1.mp4; filename=x.mp4", 'x.mp4'],
    ["attachment; filename*=UTF-8''..%2F..%2Fa%0D%0Ab.mp4", 'ab.mp4'],
    [Buffer.from('attachment; filename="Ferien 🎬.mp4"').toString('latin1'), 'Ferien 🎬.mp4'],
    ['inline; FileName="fée\\ \\"1\\"; x.mp4"', 'fée 1; x.mp4'],
    ['attachment; filename=my film.mp4', 'my film.mp4'],
    ['attachment; filename="open', ''],
    ['attachment', ''],
    ['', ''],
  ] as const)
    it(`is ${JSON.stringify(name)} for ${header}`, () => expect(namedFile(header)).to.equal(name));
});

describe('Content-Disposition', () => {
  it('sends ASCII names unchanged', () =>
    expect(attachment('video 1.mp4')).to.equal('attachment; filename="video 1.mp4"'));

  it('sends other names twice, in the encoding of RFC 8187 and as ASCII', () => {
    expect(attachment("café's (1)*.mp4")).to.equal(
      "attachment; filename=\"cafe's (1).mp4\"; filename*=UTF-8''caf%C3%A9%27s%20%281%29.mp4",
    );
    expect(attachment('👨\u200D👩.mp4')).to.include("filename*=UTF-8''%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9.mp4");
    expect(attachment('東京.mp4')).to.equal("attachment; filename=__.mp4; filename*=UTF-8''%E6%9D%B1%E4%BA%AC.mp4");
  });

  it('resists injection and always has a file name', () => {
    expect(attachment('a";x="%\r\n.mp4')).to.match(
      /^attachment; filename=("[^"\\%;\r\n]*"|[^"\\%;\r\n ]*)(; filename\*=UTF-8''[A-Za-z0-9%._~-]+)?$/,
    );
    expect(attachment('///')).to.equal('attachment; filename=download');
  });
});

describe('networkOf', () => {
  it('returns an IPv4 address in one spelling', () => {
    expect(networkOf('192.0.2.7')).to.equal('192.0.2.7');
    for (const mapped of ['::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.7'])
      expect(networkOf(mapped)).to.equal('192.0.2.7');
  });

  it('returns the /64 of an IPv6 address', () => {
    for (const address of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002::192.0.2.1'])
      expect(networkOf(address)).to.equal('2001:db8:1:2::/64');
    expect(networkOf('2001:db8:1:3::1')).to.equal('2001:db8:1:3::/64');
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0::/64');
    expect(networkOf('::1')).to.equal('0:0:0:0::/64');
    expect(networkOf('fe80::1%eth0')).to.equal('fe80:0:0:0::/64');
  });

  it('returns the same value for all invalid addresses', () => {
    for (const text of ['', 'unknown', '192.0.2.7:4711', `x${'y'.repeat(5000)}`])
      expect(networkOf(text)).to.equal('unknown');
  });
});

describe('a list of networks', () => {
  it('accepts addresses and networks of both IP versions', () => {
    const list = new NetworkList(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1']);
    for (const address of [
      '192.0.2.1',
      '::ffff:192.0.2.1',
      '10.255.0.1',
      '2001:db8:ffff::1',
      '::1',
      '2001:db8::1%eth0',
    ])
      expect(list.includes(address), address).to.equal(true);
    for (const address of ['192.0.2.2', '11.0.0.1', '2001:db9::1', '::2', 'unknown', ''])
      expect(list.includes(address), address).to.equal(false);
  });

  it('rejects an invalid entry', () => {
    for (const entry of [
      'host.example',
      '10.0.0.0/33',
      '2001:db8::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0/8',
      '/8',
    ])
      expect(() => new NetworkList([entry]), entry).to.throw(RangeError);
  });
});

/** Replaces non-breaking spaces: which of them a region uses depends on the Node version. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u2009\u202f]/g, ' ').replaceAll('’', "'");

describe('Regional formats', () => {
  const cases: readonly (readonly [language: Language, tags: readonly string[], locale: string])[] = [
    ['en', ['en-GB', 'en'], 'en-GB'],
    ['en', ['en', 'en-AU'], 'en-AU'],
    ['pt', ['pt-BR'], 'pt-BR'],
    ['it', ['de-XX', 'it_CH', 'it-IT'], 'it-CH'],
    ['fr', ['fr', 'en-US'], 'fr'],
    ['en', ['nl-NL', 'nl'], 'en-NL'],
    ['en', ['zh-Hant-TW'], 'en-TW'],
    ['en', ['*'], 'en'],
    ['en', [], 'en'],
    ['en', ['en-GB-u-nu-thai', 'en-"><script>', 'x'.repeat(5000)], 'en'],
    ['en', [...Array<string>(5000).fill('xx'), 'en-GB'], 'en'],
  ];
  for (const [language, tags, locale] of cases)
    it(`select ${locale} for ${language} and '${tags.join(', ').slice(0, 40)}'`, () =>
      expect(localeOf(language, tags)).to.equal(locale));

  it('write amounts with both decimals', () => {
    const amounts = [
      ['en-US', 'EUR', '€1,234.50'],
      ['en-GB', 'GBP', '£1,234.50'],
      ['de-DE', 'EUR', '1.234,50 €'],
      ['de-CH', 'CHF', "CHF 1'234.50"],
      ['pt-BR', 'BRL', 'R$ 1.234,50'],
      ['it-IT', 'EUR', '1234,50 €'],
      ['en', 'JPY', '¥1,234.50'],
    ] as const;
    for (const [locale, currency, text] of amounts)
      expect(plain(localMoney(123_450, currency, locale)), locale).to.equal(text);
  });

  it('write periods in the largest exact unit', () => {
    expect([172_800, 5_400, 7_200, 61].map((seconds) => localSeconds(seconds, 'en'))).to.deep.equal([
      '2\u00a0days',
      '90\u00a0minutes',
      '2\u00a0hours',
      '2\u00a0minutes',
    ]);
    expect(plain(localPeriod(1, 'MONTHS', 'it'))).to.equal('1 mese');
  });

  it('write dates and times in the requested zone, with its name', () => {
    const [from, until] = [new Date('2026-11-28T20:00:00Z'), new Date('2026-11-28T23:30:00Z')];
    const rome = timeZoneOf('Europe/Rome') ?? utc;
    expect(plain(localSpan(from, until, utc, 'en-GB'))).to.match(
      /^Saturday,? 28 November 2026,? (at )?20:00 ?– ?23:30 \(UTC\)$/,
    );
    expect(plain(localSpan(from, until, rome, 'en-US'))).to.match(
      /^Saturday, November 28, 2026.* 9:00 PM – Sunday, November 29, 2026.* 12:30 AM \(Europe\/Rome\)$/,
    );
    expect(plain(localTime(from, fixedZone(19_800_000), 'en-US'))).to.equal('1:30 AM (UTC+5:30)');
    expect(plain(localTime(from, fixedZone(-3_600_000), 'de'))).to.equal('19:00 (UTC-1)');
    expect(['en-US', 'en-GB', 'de-CH', 'pt-BR'].map((locale) => localDay(from, utc, locale))).to.deep.equal([
      'November 28, 2026',
      '28 November 2026',
      '28. November 2026',
      '28 de novembro de 2026',
    ]);
  });
});
