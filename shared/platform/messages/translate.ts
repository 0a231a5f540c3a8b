import i18next from 'i18next';
import { languages, type Language, type Translate } from './i18n.js';
import { messages } from './index.js';

/** Sentences of `messages`, with `{{name}}` replaced. Values are inserted as they are: nothing here is HTML. */
export function createTranslate(): Translate {
  const instance = i18next.createInstance();
  void instance.init({
    lng: 'en',
    fallbackLng: 'en',
    keySeparator: false,
    nsSeparator: false,
    initAsync: false,
    interpolation: { escapeValue: false, skipOnVariables: true },
    resources: Object.fromEntries(languages.map((language) => [language, { translation: inLanguage(language) }])),
  });
  return (language, key, values = {}) => {
    if (!(key in messages)) throw new Error(`there is no message '${key}'`);
    return instance.t(key, { ...values, lng: language });
  };
}

function inLanguage(language: Language): Record<string, string> {
  return Object.fromEntries(Object.entries(messages).map(([key, sentence]) => [key, sentence[language]]));
}
