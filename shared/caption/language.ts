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
