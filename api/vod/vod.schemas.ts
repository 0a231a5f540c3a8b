import Joi, { type ObjectSchema, type SchemaMap } from 'joi';
import { ccTypes, type CcType, type VodLicenseType } from '../../shared/vod/vod.model.js';
import { bundleResponse, publicBundleResponse } from '../contentbundle/contentbundle.schemas.js';
import { changeBody } from '../http/changeBody.js';
import { embedUrlMember } from '../http/embedUrlMember.js';
import { contentMembers } from '../http/contentMembers.js';
import { choice, filterWith, flag, id, onlyWith, price, publisherResponse, unlessOther, wire } from '../http/fields.js';
import { documented, filterNeeds, needs } from '../http/documented.js';
import { searchBody, userCodeFilter } from '../http/searchBody.js';

const licenseTypes: readonly VodLicenseType[] = ['FREE', 'CREATIVE_COMMONS', 'PAY_PER_VIEW', 'CONTENT_BUNDLE'];

export interface VodBody {
  readonly licenseType: VodLicenseType;
  readonly ccType?: CcType;
  /** In cents. */
  readonly pricePerView?: number;
  readonly bundleId?: string;
  readonly public?: boolean;
}

export interface VodConditionFilters {
  readonly licenseType?: VodLicenseType;
  readonly ccType?: CcType;
  readonly bundleId?: string;
}

/** Publish; `docs/contract.md#vod`. */
export const publishBody = Joi.object<VodBody>({
  licenseType: choice(licenseTypes).required().example('FREE'),
  ccType: onlyWith('CREATIVE_COMMONS', choice(ccTypes).required()),
  pricePerView: onlyWith('PAY_PER_VIEW', price().required()),
  bundleId: onlyWith('CONTENT_BUNDLE', id().required()),
  public: flag(),
}).meta(
  documented({
    allOf: needs('licenseType', {
      CREATIVE_COMMONS: ['ccType'],
      PAY_PER_VIEW: ['pricePerView'],
      CONTENT_BUNDLE: ['bundleId'],
    }),
  }),
);

/** Members that are not sent are unchanged, if the resulting license type uses them. */
export const vodChangeBody = changeBody(publishBody, {
  example: { public: false },
  members: {
    ccType: unlessOther('CREATIVE_COMMONS', choice(ccTypes)),
    pricePerView: unlessOther('PAY_PER_VIEW', price()),
    bundleId: unlessOther('CONTENT_BUNDLE', id()),
  },
});

const conditions = Joi.object<VodConditionFilters>({
  licenseType: choice(licenseTypes),
  ccType: filterWith('CREATIVE_COMMONS', choice(ccTypes)),
  bundleId: filterWith('CONTENT_BUNDLE', id()),
}).meta(documented({ allOf: [filterNeeds('ccType', 'CREATIVE_COMMONS'), filterNeeds('bundleId', 'CONTENT_BUNDLE')] }));

export const privateVodSearchBody = searchBody<{ public?: boolean; conditions?: VodConditionFilters }>({
  public: flag().description('Only public items, or only those that are not.'),
  conditions,
});

export const publicVodSearchBody = searchBody<{ userCode?: string; conditions?: VodConditionFilters }>({
  userCode: userCodeFilter,
  conditions,
});

export const vodParams = Joi.object<{ vodId: string }>({ vodId: id().required() });

const members: SchemaMap = {
  vodId: wire.id().required(),
  boxId: wire.id().required(),
  embedUrl: embedUrlMember,
  ...contentMembers,
  licenseType: Joi.valid(...licenseTypes).required(),
  ccType: Joi.valid(...ccTypes),
  pricePerView: wire.price(),
};

/** VOD item of `docs/contract.md#fields-vod-item`, for its owner. */
export const privateVodResponse: ObjectSchema = Joi.object({
  ...members,
  bundle: bundleResponse,
  valueDate: wire.date().required(),
  expirationDate: wire.date(),
  public: Joi.boolean().required(),
}).meta({ className: 'VodItem' });

/** The public view of a VOD item. */
export const publicVodResponse: ObjectSchema = Joi.object({
  ...members,
  bundle: publicBundleResponse,
  publisher: publisherResponse.required(),
}).meta({ className: 'PublicVodItem' });
