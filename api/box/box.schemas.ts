import Joi from 'joi';
import type { TitledInput } from '../../shared/content/describedItem.js';
import { documented, requires } from '../http/documented.js';
import { describedChangeBody, titledMembers, titledResponse } from '../http/describedItemFields.js';
import { choice, filePart, id, optionalText, text, wire } from '../http/fields.js';
import { searchBody } from '../http/searchBody.js';
import { marketplaceLicenseTypes, type MarketplaceLicenseType } from '../../shared/marketplace/licenseConditions.js';
import { conditionsResponse } from '../marketplace/conditions.schemas.js';

const sources = ['UPLOAD', 'MARKET_PLACE', 'LIVE'] as const;

export interface BoxParams {
  readonly boxId: string;
}

/** The response to a malformed id is 404, as to an unknown one. */
export const boxParams = Joi.object<BoxParams, true>({ boxId: id().required() });

/** Tags of a box item, without duplicates, in the order of the request. A single value is a list of one. */
const tagList = Joi.array()
  .items(Joi.string().trim().max(64).empty(''))
  .single()
  .sparse()
  .custom((value: (string | undefined)[], helpers) => {
    const tags = [...new Set(value.filter((tag): tag is string => Boolean(tag)))];
    return tags.length > 50 ? helpers.error('array.max', { limit: 50 }) : tags;
  })
  .meta(documented({ maxItems: 50 }));

export const boxItemUpdateBody = describedChangeBody(Joi.object<TitledInput>({ ...titledMembers, tags: tagList }));

export interface UploadBody extends Omit<TitledInput, 'tags'> {
  /** The result of the form's `store` for the file part. */
  readonly file: object;
  readonly contentIdentifier?: string;
  readonly tag?: readonly string[];
}

const uploadMembers = {
  title: titledMembers.title,
  contentIdentifier: optionalText(128).description(
    'A UUID or a content id becomes the id of the content; any other text is permitted.',
  ),
  description: titledMembers.description,
  tag: tagList.description('A tag; may be repeated.'),
  thumbnailId: titledMembers.thumbnailId,
};

/** The parts of `POST /api/box`: `docs/contract.md#box`, `docs/contract.md#choices-box`. */
export const uploadBody = Joi.object<UploadBody>({
  file: filePart.description('The content: a video or audio file.'),
  ...uploadMembers,
});

/** The same parts as the metadata of a tus upload. */
export const resumableUploadBody = Joi.object<Omit<UploadBody, 'file'>>(uploadMembers);

export interface ImportBody extends TitledInput {
  readonly url: string;
  readonly contentIdentifier?: string;
}

export const importBody = Joi.object<ImportBody>({
  url: text(2_000)
    .required()
    .example('https://example.org/film.mp4')
    .description('Address of one video or audio file: `http` or `https`, without credentials, as browsers accept it.'),
  ...titledMembers,
  tags: tagList,
  contentIdentifier: uploadMembers.contentIdentifier,
});

export interface BoxFilters {
  readonly source?: (typeof sources)[number];
  readonly excludeBundleId?: string;
  readonly conditions?: { readonly licenseType?: MarketplaceLicenseType };
}

export const boxSearchBody = searchBody<BoxFilters>({
  source: choice(sources).description('Only items of this source.'),
  excludeBundleId: id().empty('').description('Leaves out the items of this bundle of the caller.'),
  conditions: Joi.object({
    licenseType: choice(marketplaceLicenseTypes).description('Only items that were acquired under this license type.'),
  }).description('Only with the source `MARKET_PLACE`.'),
}).meta(
  documented({
    allOf: [
      {
        if: { properties: { conditions: requires('licenseType') }, required: ['conditions'] },
        then: { properties: { source: { const: 'MARKET_PLACE' } }, required: ['source'] },
      },
    ],
  }),
);

const pixels = () => Joi.number().integer().required().description('Pixels.');

/** Marketplace license of `docs/contract.md#fields-marketplace-license`. */
const marketplaceLicenseResponse = Joi.object({
  licenseId: wire.id().required(),
  marketplaceId: wire.id().required(),
  issuerCode: Joi.string().required().description('User code of the seller.'),
  ...conditionsResponse,
}).meta({ className: 'MarketplaceLicense' });

/** Box item of `docs/contract.md#fields-box-item`. */
export const boxItemResponse = Joi.object({
  boxId: wire.id().required(),
  contentId: wire.contentId().required(),
  ...titledResponse,
  resourceId: wire.id().required(),
  duration: wire.duration().description('Length as `minutes:seconds`; present after the file was probed.'),
  source: Joi.valid(...sources)
    .required()
    .description('Origin of the item.'),
  valueDate: wire.date().required(),
  expirationDate: wire.date().description('The date on which the acquired license ends.'),
  status: Joi.string().valid('PENDING', 'READY', 'FAILED').required().description('Whether it can be played.'),
  renditions: Joi.array()
    .items(Joi.object({ width: pixels(), height: pixels() }))
    .description(
      'With `READY`: the sizes of its renditions, smallest first. A size is left out if a larger one needs no more bits than the smallest of the ladder.',
    ),
  preparing: Joi.number()
    .integer()
    .description('With `READY`, while renditions are encoded: their progress, 0 to 99 percent.'),
  message: Joi.string().description(
    'In the language of the request. With `FAILED`: the reason. With `READY`: why further renditions could not be encoded or the item could not be processed again; how many seconds are missing at the end of a damaged or incomplete file; which audio tracks do not play; which subtitles were not imported as captions, and why; how many of their cues, or of the chapters, were left out.',
  ),
  vodCount: Joi.number().integer().required().description('VOD items published from this box item.'),
  marketplaceLicense: marketplaceLicenseResponse,
}).meta({ className: 'BoxItem' });
