import { expect } from 'chai';
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
