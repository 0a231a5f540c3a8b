import type { Language } from '../i18n.js';
import type { TimeZone } from './timeZone.js';

/** The reader of a response or a message: the language of its texts, and the time zone of its dates. A request is a reader. */
export interface Reader {
  readonly language: Language;
  readonly zone: TimeZone;
}
