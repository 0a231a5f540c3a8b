/** Languages with messages; `docs/contract.md#choices-requests`. */
export const languages = ['en', 'it', 'es', 'fr', 'pt'] as const;
export type Language = (typeof languages)[number];

/** A sentence in a language, with `{{name}}` replaced by values. An unknown key is a fault, found by test. */
export type Translate = (language: Language, key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The language of a tag such as `pt-BR` or `IT`; English where we have no messages in it. */
export function languageOf(tag: string): Language {
  return knownLanguage(tag) ?? 'en';
}

function knownLanguage(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0];
  return languages.find((language) => language === primary);
}

/** The language an `Accept-Language` header prefers among ours; English where it names none of them. */
export function acceptedLanguage(header: string | undefined): Language {
  const wishes = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';');
      const weight = parameters
        .map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1])
        .find((value) => value !== undefined);
      return { language: knownLanguage(tag), weight: weight === undefined ? 1 : Number(weight) };
    });
  const known = wishes.filter(({ language, weight }) => language !== undefined && weight > 0);
  known.sort((left, right) => right.weight - left.weight);
  return known[0]?.language ?? 'en';
}
