import Joi from 'joi';
import { captionKinds, type CaptionKind } from '../../shared/caption/caption.model.js';
import { choice, filePart, flag, id, optionalText, wire } from '../http/fields.js';
import { languageField } from '../http/languageField.js';

export interface CaptionParams {
  readonly boxId: string;
  readonly captionId: string;
}

export const captionParams = Joi.object<CaptionParams, true>({ boxId: id().required(), captionId: id().required() });

const descriptions = {
  kind: '`captions` also describe sounds.',
  forced:
    'Forced captions translate only passages that are not in the language of the audio. Players show them automatically.',
  default:
    'Players show them to viewers who have not chosen captions. A content has at most one default: the one set last.',
};

const members = {
  label: optionalText(100).description(
    'Name in the player’s menu. By default the name of the language, in that language.',
  ),
  kind: choice(captionKinds).description(descriptions.kind),
  forced: flag().description(descriptions.forced),
  default: flag().description(descriptions.default),
};

export interface CaptionBody {
  /** The result of the form's `store` for the file part. */
  readonly file: object;
  readonly language: string;
  readonly label?: string;
  readonly kind?: CaptionKind;
  readonly forced?: boolean;
  readonly default?: boolean;
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
  language: Joi.string()
    .required()
    .description('Language tag (BCP 47), such as `en` or `pt-BR`; `und` if it is not known.'),
  label: Joi.string().required().description('Name in the player’s menu.'),
  kind: Joi.valid(...captionKinds)
    .required()
    .description(descriptions.kind),
  forced: Joi.boolean().required().description(descriptions.forced),
  default: Joi.boolean().required().description(descriptions.default),
  automatic: Joi.boolean().required().description('Created by speech recognition.'),
  leftOutCues: Joi.number()
    .integer()
    .required()
    .description(
      'Number of cues of the file that were left out, because they end before they start or cannot be shown.',
    ),
}).meta({ className: 'Caption' });

export const captionListResponse = Joi.object({
  items: Joi.array().items(captionResponse).required(),
  totalCount: Joi.number().integer().required(),
}).meta({ className: 'CaptionList' });
