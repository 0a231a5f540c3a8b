import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { preferredLanguage, type Language } from '../../shared/platform/i18n.js';

/** The language of a response: the first one that `Accept-Language` prefers among ours, else English. */
export function languageOfRequest(request: IncomingMessage): Language {
  return preferredLanguage(accepts(request).languages());
}
