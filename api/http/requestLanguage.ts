import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { localeOf } from '../../shared/platform/formats/regionalFormat.js';
import { preferredLanguage, type Language } from '../../shared/platform/i18n.js';

/** The language of a response: the supported language that `Accept-Language` prefers, else English. */
export function languageOfRequest(request: IncomingMessage): Language {
  return preferredLanguage(accepts(request).languages());
}

/** The language with the reader's region, for prices, dates and times: `de-CH`. */
export function localeOfRequest(request: IncomingMessage): string {
  const tags = accepts(request).languages();
  return localeOf(preferredLanguage(tags), tags);
}
