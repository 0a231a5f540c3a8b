import Joi from 'joi';
import { languageTag } from '../../shared/platform/formats/language.js';
import { reject } from '../../shared/platform/validation.js';
import { documented } from './documented.js';

/** A language tag (BCP 47) in any case, and with `_` too. Blank counts as not sent. */
export function languageField() {
  return Joi.string()
    .trim()
    .max(35)
    .empty('')
    .custom((value: string, helpers) => languageTag(value) ?? reject(helpers, 'caption.language'))
    .meta(documented({ pattern: '^\\s*[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?\\s*$' }))
    .example('pt-BR')
    .description('Language, with script and country if they matter (BCP 47).');
}
