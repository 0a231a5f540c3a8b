import type { FieldError } from '../../platform/errors.js';
import type { TimeZone } from '../../platform/formats/timeZone.js';
import type { Language } from '../../platform/i18n.js';
import type { Draft } from './draft.js';

/** Who edits. */
export interface Editor {
  readonly ownerId: string;
  /** Of the dates and times in the request. */
  readonly zone: TimeZone;
  /** Of the titles of breaks. */
  readonly language: Language;
}

/** Which programs are edited, by whom. */
export interface Edit extends Editor {
  readonly channelId: string;
  /** The header of the request: entity tags of the day as the caller has read it. */
  readonly ifMatch?: string | undefined;
}

/** What an edit wants, and what is wrong with it: at most one error for each program. */
export interface WantedPrograms {
  readonly drafts: readonly Draft[];
  readonly errors: readonly FieldError[];
}
