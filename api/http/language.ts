import type { Request } from 'express';
import { preferredLanguage, type Language } from '../../shared/platform/i18n.js';

/** The language of a response: the first one that `Accept-Language` prefers among ours, else English. */
export function languageOfRequest(request: Request): Language {
  return preferredLanguage(request.acceptsLanguages());
}
