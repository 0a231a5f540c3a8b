import Joi from 'joi';
import { captionKinds, type CaptionKind } from '../../shared/caption/caption.model.js';
import { languageTag } from '../../shared/caption/language.js';
import { reject } from '../../shared/platform/validation.js';
import { documented } from '../http/documented.js';
import { choice, filePart, id, optionalText, wire } from '../http/fields.js';

export interface CaptionParams {
  readonly boxId: string;
  readonly captionId: string;
}

export const captionParams = Joi.object<CaptionParams, true>({ boxId: id().required(), captionId: id().required() });

const language = Joi.string()
  .trim()
  .max(35)
  .empty('')
  .custom((given: string, helpers) => languageTag(given) ?? reject(helpers, 'caption.language'))
  .meta(documented({ pattern: '^\\s*[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?\\s*$' }))
  .example('pt-BR')
  .description('Language, and where it matters script and country (BCP 47).');

const members = {
  label: optionalText(100).description(
    'What players list it as. By default the name of the language, in that language.',
  ),
  kind: choice(captionKinds).description('`captions` also say which sounds there are.'),
};

export interface CaptionBody {
  /** The result of the form's `store` for the file part. */
  readonly file: object;
  readonly language: string;
  readonly label?: string;
  readonly kind?: CaptionKind;
}

export const captionBody = Joi.object<CaptionBody>({
  file: filePart.description('The captions: WebVTT or SRT, in UTF-8.'),
  language: language.required(),
  ...members,
});

export type CaptionUpdateBody = Partial<Omit<CaptionBody, 'file'>>;

export const captionUpdateBody = Joi.object<CaptionUpdateBody>({ language, ...members });

export const captionResponse = Joi.object({
  captionId: wire.id().required(),
  language: Joi.string().required().description('Language tag (BCP 47); `und` where it is not known.'),
  label: Joi.string().required().description('What players list it as.'),
  kind: Joi.valid(...captionKinds)
    .required()
    .description('`captions` also say which sounds there are.'),
  automatic: Joi.boolean().required().description('Made by a program that listens.'),
}).meta({ className: 'Caption' });

export const captionListResponse = Joi.object({
  items: Joi.array().items(captionResponse).required(),
  totalCount: Joi.number().integer().required(),
}).meta({ className: 'CaptionList' });
