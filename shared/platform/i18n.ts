/** Languages that have messages: `docs/contract.md#choices-requests`. */
export const languages = ['en', 'it', 'es', 'fr', 'pt', 'de'] as const;
export type Language = (typeof languages)[number];

/**
 * One message in every language: a missing translation does not compile. `{{name}}` is replaced by a value, `{{name:day|days}}`
 * by the singular or plural for the number `name`.
 */
export type LocalizedMessage = Readonly<Record<Language, string>>;
export type Messages = Readonly<Record<string, LocalizedMessage>>;

export type MessageValues = Readonly<Record<string, string | number>>;

/** Values with these names are dates in the format of the contract, `31/12/2026`, with or without a time. */
const dateNames: ReadonlySet<string> = new Set(['date', 'from', 'until']);

/** The text of a message in a language, with its placeholders replaced. Throws for an unknown key. */
export type Translate = (language: Language, key: string, values?: MessageValues) => string;

const placeholders = /\{\{(\w+)(?::([^|{}]*)\|([^|{}]*))?\}\}/g;

/**
 * Translates the keys of `messages`. Values are inserted unescaped, because messages are not HTML; a `{{name}}` inside a value is
 * not replaced. A placeholder without a value is unchanged.
 */
export function createTranslate(messages: Messages): Translate {
  return (language, key, values = {}) => {
    const message = Object.hasOwn(messages, key) ? messages[key] : undefined;
    if (!message) throw new Error(`unknown message '${key}'`);
    return message[language].replace(placeholders, (placeholder, name: string, one?: string, other?: string) => {
      if (!Object.hasOwn(values, name)) return placeholder;
      const value = values[name] ?? '';
      return one === undefined ? textOf(language, name, value) : isSingular(language, value) ? one : (other ?? '');
    });
  };
}

/** A value in the notation of a language: German dates are `31.12.2026`. */
function textOf(language: Language, name: string, value: string | number): string {
  return language === 'de' && dateNames.has(name) ? String(value).replaceAll('/', '.') : String(value);
}

const pluralRules = new Map(languages.map((language) => [language, new Intl.PluralRules(language)]));

/** Whether a language uses the singular with this number. All supported languages have one plural form in common use. */
function isSingular(language: Language, value: string | number): boolean {
  return pluralRules.get(language)?.select(Number(value)) === 'one';
}

/** The language of a tag such as `pt-BR`, `pt_BR` or `IT`; English if it has no messages. */
export function languageOf(tag: string): Language {
  return knownLanguage(tag) ?? 'en';
}

/** The first tag, in order of preference, whose language has messages; English if none has. */
export function preferredLanguage(tags: readonly string[]): Language {
  return tags.map(knownLanguage).find((language) => language !== undefined) ?? 'en';
}

function knownLanguage(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0];
  return languages.find((language) => language === primary);
}
