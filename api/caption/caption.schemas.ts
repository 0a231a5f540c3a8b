import Joi from 'joi';
import { captionKinds, type CaptionKind } from '../../shared/caption/caption.model.js';
import { choice, filePart, id, optionalText, wire } from '../http/fields.js';
import { languageField } from '../http/languageField.js';

export interface CaptionParams {
  readonly boxId: string;
  readonly captionId: string;
}

export const captionParams = Joi.object<CaptionParams, true>({ boxId: id().required(), captionId: id().required() });

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
  language: languageField().required(),
  ...members,
});

export type CaptionUpdateBody = Partial<Omit<CaptionBody, 'file'>>;

export const captionUpdateBody = Joi.object<CaptionUpdateBody>({ language: languageField(), ...members });

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
