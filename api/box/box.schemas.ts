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

/** Tags of a box item, without duplicates, in the order given. A single value is a list of one. */
const tagList = Joi.array()
  .items(Joi.string().trim().max(64).empty(''))
  .single()
  .sparse()
  .custom((given: (string | undefined)[], helpers) => {
    const tags = [...new Set(given.filter((tag): tag is string => Boolean(tag)))];
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
    'A UUID or content id that becomes the content id, or any other text.',
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

/** The same as the metadata of an upload that arrives in several requests. */
export const resumableUploadBody = Joi.object<Omit<UploadBody, 'file'>>(uploadMembers);

export interface ImportBody extends TitledInput {
  readonly url: string;
  readonly contentIdentifier?: string;
}

export const importBody = Joi.object<ImportBody>({
  url: text(2_000)
    .required()
    .example('https://example.org/film.mp4')
    .description('Of one video or audio file: `http` or `https`, without credentials, as browsers accept it.'),
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
    licenseType: choice(marketplaceLicenseTypes).description('Only items that were acquired under it.'),
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
  duration: wire.duration().description('Length as `minutes:seconds`, after the file was read.'),
  source: Joi.valid(...sources)
    .required()
    .description('Where the item comes from.'),
  valueDate: wire.date().required(),
  expirationDate: wire.date().description('The date on which the acquired license ends.'),
  status: Joi.string().valid('PENDING', 'READY', 'FAILED').required().description('Whether it can be played.'),
  renditions: Joi.array()
    .items(Joi.object({ width: pixels(), height: pixels() }))
    .description(
      'With `READY`: the sizes in which it plays now, smallest first. A size is left out if a larger one needs no more bits than the smallest of the ladder.',
    ),
  preparing: Joi.number()
    .integer()
    .description(
      'With `READY`, while further renditions are made or all are made again: how far they are, 0 to 99 percent.',
    ),
  message: Joi.string().description(
    'With `FAILED`: the reason. With `READY`: why further renditions could not be made or the item not be processed again, how many seconds at the end of a damaged or incomplete file are missing, which of its audio tracks do not play, which of its subtitles became no captions, and why, and how many of their cues, or of the chapters of the file, were left out. In the language of the request.',
  ),
  vodCount: Joi.number().integer().required().description('VOD items published from this box item.'),
  marketplaceLicense: marketplaceLicenseResponse,
}).meta({ className: 'BoxItem' });
