/** Of a language that is not known. */
export const unknownLanguage = 'und';

/** Language, script and country. */
const tagPattern = /^[a-z]{2,3}([-_][a-z]{4})?([-_]([a-z]{2}|\d{3}))?$/i;

/** A language tag (BCP 47) in its usual form: `pt-BR`. Null: it is none. */
export function languageTag(given: string): string | null {
  if (!tagPattern.test(given)) return null;
  try {
    return Intl.getCanonicalLocales(given.replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}

/** The name of a language in that language: `Deutsch`. Of one that has no name, its tag. */
export function labelOfLanguage(language: string): string {
  if (language === unknownLanguage) return 'Unknown';
  try {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}

/** The tags of languages by their English names in lower case, which programs that listen use. */
let tagsOfNames: ReadonlyMap<string, string> | undefined;

/** The tag of a language that is given as a tag or by its English name. Null: neither. */
export function languageTagOfName(given: string): string | null {
  tagsOfNames ??= new Map(twoLetterTags().map((tag) => [englishNames.of(tag)?.toLowerCase() ?? tag, tag]));
  return tagsOfNames.get(given.trim().toLowerCase()) ?? languageTag(given.trim());
}

const englishNames = new Intl.DisplayNames(['en'], { type: 'language' });

function twoLetterTags(): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  return letters.flatMap((first) => letters.map((second) => first + second)).filter((tag) => languageTag(tag) === tag);
}
