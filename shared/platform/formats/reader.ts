import type { Language } from '../i18n.js';
import type { TimeZone } from './timeZone.js';

/** Who reads a response or a message: the language of its texts, and the time zone of its dates. A request is one. */
export interface Reader {
  readonly language: Language;
  readonly zone: TimeZone;
}
