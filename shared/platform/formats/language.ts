/** The tag of an undetermined language. */
export const unknownLanguage = 'und';

/** Language, script and country. */
const tagPattern = /^[a-z]{2,3}([-_][a-z]{4})?([-_]([a-z]{2}|\d{3}))?$/i;

/** A language tag (BCP 47) in its canonical form: `pt-BR`. Null if the text is not a language tag. */
export function languageTag(given: string): string | null {
  if (!tagPattern.test(given)) return null;
  try {
    return Intl.getCanonicalLocales(given.replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}

/** The name of a language in that language: `Deutsch`. The tag, if the language has no name. */
export function labelOfLanguage(language: string): string {
  if (language === unknownLanguage) return 'Unknown';
  try {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}

/** Language tags by English name in lower case, as speech recognition programs report languages. */
let tagsOfNames: ReadonlyMap<string, string> | undefined;

/** The language tag for a tag or an English name. Null: neither. */
export function languageTagOfName(given: string): string | null {
  tagsOfNames ??= new Map(twoLetterTags().map((tag) => [englishNames.of(tag)?.toLowerCase() ?? tag, tag]));
  return tagsOfNames.get(given.trim().toLowerCase()) ?? languageTag(given.trim());
}

const englishNames = new Intl.DisplayNames(['en'], { type: 'language' });

function twoLetterTags(): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  return letters.flatMap((first) => letters.map((second) => first + second)).filter((tag) => languageTag(tag) === tag);
}
