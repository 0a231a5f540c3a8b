import { expect } from 'chai';
import { countryCodeOf, countryName } from '../../../shared/user/countries.js';
import { languages } from '../../../shared/platform/i18n.js';

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
