import { languages, type Language } from '../platform/i18n.js';

/** ISO 3166-1 alpha-2. */
const countryCodes = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN ' +
    'CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM ' +
    'HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
    'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
    'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI ' +
    'VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

/**
 * The code of a country from its code or its name in any supported language; case, accents and punctuation are ignored
 * (`docs/contract.md#choices-users`). Undefined if there is no such country.
 */
export function countryCodeOf(given: string): string | undefined {
  const code = given.trim().toUpperCase();
  return countryCodes.has(code) ? code : codesByName().get(plainNameOf(given));
}

/** The country's name in the caller's language; `docs/contract.md#choices-users`. */
export function countryName(code: string, language: Language): string {
  return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
}

let codesOfNames: ReadonlyMap<string, string> | undefined;

/** The codes by name, in all languages: usual names (`United Kingdom`) and short ones (`UK`). */
function codesByName(): ReadonlyMap<string, string> {
  codesOfNames ??= new Map(
    languages.flatMap((language) =>
      (['short', 'long'] as const).flatMap((style) => {
        const names = new Intl.DisplayNames([language], { type: 'region', style });
        return [...countryCodes].map((code): [string, string] => [plainNameOf(names.of(code) ?? code), code]);
      }),
    ),
  );
  return codesOfNames;
}

/** Letters and digits without accents, in lower case; words separated by one space. */
function plainNameOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim();
}
