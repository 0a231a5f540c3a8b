import type { Language } from './i18n.js';

/** One sentence in every language: a missing translation does not compile. `{{name}}` is replaced by a value. */
export type Sentence = Readonly<Record<Language, string>>;
export type Messages = Readonly<Record<string, Sentence>>;
