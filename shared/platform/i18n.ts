/** Languages with messages; `decisions.md 2`. */
export const languages = ['en', 'it', 'es', 'fr', 'pt'] as const;
export type Language = (typeof languages)[number];

/** A sentence in a language, with `{{name}}` replaced by values. An unknown key is a fault, found by test. */
export type Translate = (language: Language, key: string, values?: Readonly<Record<string, string | number>>) => string;
