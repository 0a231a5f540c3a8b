import { expect } from 'chai';
import { isLinkHost } from '../../../shared/oauth/linkHosts.js';
import { languages } from '../../../shared/platform/i18n.js';
import { plainName } from '../../../shared/platform/mail/plainNames.js';
import { readConfig } from '../../../shared/settings.js';
import { countryCodeOf, countryName } from '../../../shared/user/countries.js';
import { testEnvironment } from '../../support/context.js';

describe('Names in mails', () => {
  for (const [name, expected] of [
    ['Ada', 'Ada'],
    ['Jean-Luc d’Arc', 'Jean-Luc d’Arc'],
    ['J.R.R. Tolkien', 'J.R.R. Tolkien'],
    ['ada.lovelace', 'ada.lovelace'],
    ['https://evil.example.com/x', 'https : / / evil.example. com / x'],
    ['WWW.evil', 'www . evil'],
    ['evil.com', 'evil. com'],
    ['win at bit.ly', 'win at bit. ly'],
    ['victim@mail.example', 'victim @ mail.example'],
    ['зло.рф', 'зло. рф'],
    ['cafe\u0301.com', 'cafe\u0301. com'],
    ['evil\u3002com', 'evil\u3002 com'],
  ] as const) {
    it(`are plain text: ${name}`, () => expect(plainName(name)).to.equal(expected));
  }
});

describe('Hosts of mailed links', () => {
  const allows = (settings: Record<string, string>, address: string) =>
    isLinkHost(
      readConfig('web', { ...testEnvironment('postgres://here/db', '/tmp/x'), MAIL_LINK_HOSTS: '', ...settings }),
      new URL(address),
    );
  const deployed = { PUBLIC_URL: 'https://video.example.org' };

  it('are limited to the host of PUBLIC_URL, client origins and MAIL_LINK_HOSTS', () => {
    const settings = {
      ...deployed,
      OAUTH_CLIENTS: 'app:@https://app.example.org:8443',
      MAIL_LINK_HOSTS: 'shop.example.org, Help.example.org:444',
    };
    for (const address of [
      'https://video.example.org/a?t=1',
      'https://app.example.org:8443/x',
      'https://shop.example.org:1/x',
      'https://help.example.org:444/x',
    ])
      expect(allows(settings, address), address).to.equal(true);
    for (const address of [
      'https://phishing.test/',
      'https://app.example.org/x',
      'http://app.example.org:8443/x',
      'https://help.example.org/x',
      'https://video.example.org.phishing.test/',
      'http://localhost:8080/',
    ])
      expect(allows(settings, address), address).to.equal(false);
  });

  it('include all names of the local machine if the service runs only on it', () => {
    expect(allows({}, 'http://localhost:5173/x')).to.equal(true);
    expect(allows({}, 'https://example.org/x')).to.equal(false);
  });
});

const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));

const countries = letters
  .flatMap((one) => letters.map((two) => one + two))
  .filter((code) => countryCodeOf(code) === code);

describe('Countries', () => {
  it('have the codes of ISO 3166-1', () => {
    expect(countries).to.have.lengthOf(249).and.to.include.members(['IT', 'GB', 'ZW']);
    expect(countryCodeOf('XX')).to.equal(undefined);
  });

  it('are found by their name in every language', () => {
    for (const language of languages) {
      const wrong = countries.filter((code) => countryCodeOf(countryName(code, language)) !== code);
      expect(wrong, language).to.deep.equal([]);
    }
  });

  it('are read only from codes and names of every language', () => {
    const names: Readonly<Record<string, readonly string[]>> = {
      IT: [' it ', 'Italy', 'ITALIA', 'italie', 'Itália'],
      ES: ['España', 'espana'],
      CI: ["Cote d'Ivoire", 'Costa d’Avorio'],
      US: ['Estados Unidos', 'USA'],
      GB: ['UK'],
      GW: ['Guinea-Bissau', 'guinea  bissau'],
      RU: ['RU'],
    };
    for (const [code, spellings] of Object.entries(names))
      for (const name of spellings) expect(countryCodeOf(name), name).to.equal(code);
    for (const name of ['Atlantis', '', '-', 'Ital', 'I', '__proto__', 'constructor'])
      expect(countryCodeOf(name), name).to.equal(undefined);
  });
});
