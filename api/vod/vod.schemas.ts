import Joi, { type ObjectSchema, type SchemaMap } from 'joi';
import { ccTypes, type CcType, type VodLicenseType } from '../../shared/vod/vod.model.js';
import { bundleResponse, publicBundleResponse } from '../contentbundle/contentbundle.schemas.js';
import { contentMembers } from '../http/contentMembers.js';
import { flag, id, onlyWith, optionalText, price, publisherResponse, wire } from '../http/fields.js';
import { searchBody } from '../http/searchBody.js';

const licenseTypes: readonly VodLicenseType[] = ['FREE', 'CREATIVE_COMMONS', 'PAY_PER_VIEW', 'CONTENT_BUNDLE'];

export interface VodBody {
  readonly licenseType: VodLicenseType;
  readonly ccType?: CcType;
  /** In cents. */
  readonly pricePerView?: number;
  readonly bundleId?: string;
  /** In an update that sends back an item as it was read: the item stays in its bundle. */
  readonly bundle?: object;
  readonly public?: boolean;
}

export interface VodConditionFilters {
  readonly licenseType?: VodLicenseType;
  readonly ccType?: CcType;
  readonly bundleId?: string;
}

/** Publish; `docs/contract.md#vod`. */
export const publishBody = Joi.object<VodBody>({
  licenseType: Joi.valid(...licenseTypes)
    .required()
    .example('FREE'),
  ccType: onlyWith('CREATIVE_COMMONS', Joi.valid(...ccTypes).required()),
  pricePerView: onlyWith('PAY_PER_VIEW', price().required()),
  bundleId: onlyWith('CONTENT_BUNDLE', id().required()),
  public: flag(),
});

/** Update: as publish, but an item may stay in its bundle without `bundleId`. Without `public` the switch is unchanged. */
export const updateBody = publishBody.keys({
  bundleId: onlyWith('CONTENT_BUNDLE', id()),
  bundle: Joi.object().empty(''),
});

const conditions = Joi.object<VodConditionFilters>({
  licenseType: Joi.valid(...licenseTypes).empty(''),
  ccType: onlyWith('CREATIVE_COMMONS', Joi.valid(...ccTypes)),
  bundleId: onlyWith('CONTENT_BUNDLE', id()),
});

export const privateSearchBody = searchBody<{ public?: boolean; conditions?: VodConditionFilters }>({
  public: flag(),
  conditions,
});

export const publicSearchBody = searchBody<{ userCode?: string; conditions?: VodConditionFilters }>({
  userCode: optionalText(50),
  conditions,
});

export const boxParams = Joi.object<{ boxId: string }>({ boxId: id().required() });
export const vodParams = Joi.object<{ vodId: string }>({ vodId: id().required() });

const members: SchemaMap = {
  vodId: wire.id().required(),
  boxId: wire.id().required(),
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

/** The same for everybody. */
export const publicVodResponse: ObjectSchema = Joi.object({
  ...members,
  bundle: publicBundleResponse,
  publisher: publisherResponse.required(),
}).meta({ className: 'PublicVodItem' });
