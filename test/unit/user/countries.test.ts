import { expect } from 'chai';
import { countryCodeOf, countryName } from '../../../shared/user/countries.js';
import { languages } from '../../../shared/platform/i18n.js';

const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));
const countries = letters
  .flatMap((one) => letters.map((two) => one + two))
  .filter((code) => countryCodeOf(code) === code);

describe('Countries', () => {
  it('has the codes of ISO 3166-1', () => {
    expect(countries).to.have.lengthOf(249).and.to.include.members(['IT', 'GB', 'ZW']);
    expect(countryCodeOf('XX')).to.equal(undefined);
  });

  it('finds every country by its name in every language', () => {
    for (const language of languages) {
      const wrong = countries.filter((code) => countryCodeOf(countryName(code, language)) !== code);
      expect(wrong, language).to.deep.equal([]);
    }
  });

  const given: readonly (readonly [string, string])[] = [
    [' it ', 'IT'],
    ['Italy', 'IT'],
    ['ITALIA', 'IT'],
    ['italie', 'IT'],
    ['Itália', 'IT'],
    ['España', 'ES'],
    ['espana', 'ES'],
    ["Cote d'Ivoire", 'CI'],
    ['Costa d’Avorio', 'CI'],
    ['Estados Unidos', 'US'],
    ['USA', 'US'],
    ['UK', 'GB'],
    ['Guinea-Bissau', 'GW'],
    ['guinea  bissau', 'GW'],
    ['RU', 'RU'],
  ];
  for (const [name, code] of given)
    it(`reads '${name}' as ${code}`, () => {
      expect(countryCodeOf(name)).to.equal(code);
    });

  for (const name of ['Atlantis', '', '-', 'Ital', 'I', '__proto__', 'constructor'])
    it(`knows no country '${name}'`, () => {
      expect(countryCodeOf(name)).to.equal(undefined);
    });
});
