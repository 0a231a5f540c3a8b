import Joi, { type ObjectSchema, type Schema, type SchemaMap } from 'joi';
import { refuse } from '../../shared/platform/validate.js';
import { ccTypes, type CcType, type VodLicenseType } from '../../shared/vod/vod.model.js';
import { flag, id, optionalText, publisherAnswer, wire } from '../http/fields.js';
import { searchBody } from '../http/searchBody.js';

const licenseTypes: readonly VodLicenseType[] = ['FREE', 'CREATIVE_COMMONS', 'PAY_PER_VIEW', 'CONTENT_BUNDLE'];
/** What one can publish under today. */
const offered: readonly VodLicenseType[] = ['FREE', 'CREATIVE_COMMONS'];

export interface VodBody {
  readonly licenseType: VodLicenseType;
  readonly ccType?: CcType;
  /** Of the license types not offered yet, so never there in a valid body. */
  readonly pricePerView?: never;
  readonly bundleId?: never;
  readonly public?: boolean;
}

export interface VodConditionFilters {
  readonly licenseType?: VodLicenseType;
  readonly ccType?: CcType;
  readonly bundleId?: string;
}

/** A member that means something with one license type alone; with any other, or none, it is refused. */
function onlyWith(licenseType: VodLicenseType, then: Schema = Joi.any()): Schema {
  const refused = Joi.any().custom((_given, helpers) => refuse(helpers, 'vod.onlyWithLicense', { licenseType }));
  return Joi.any().empty('').when('licenseType', { is: licenseType, then, otherwise: refused });
}

/** Publish and update: `interface.md 4.5`. Left out, `public` is true for a new item, and as it was for another. */
export const vodBody = Joi.object<VodBody>({
  licenseType: Joi.string()
    .required()
    .custom((given: VodLicenseType, helpers) => {
      if (offered.includes(given)) return given;
      return licenseTypes.includes(given)
        ? refuse(helpers, 'vod.licenseNotOffered')
        : helpers.error('any.only', { valids: offered });
    })
    .example('FREE'),
  ccType: onlyWith('CREATIVE_COMMONS', Joi.valid(...ccTypes).required()),
  pricePerView: onlyWith('PAY_PER_VIEW'),
  bundleId: onlyWith('CONTENT_BUNDLE'),
  public: flag(),
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
  contentId: wire.contentId().required(),
  title: Joi.string().required(),
  description: Joi.string(),
  resourceId: wire.id().required(),
  duration: wire.duration().required(),
  thumbnailId: wire.id(),
  tags: wire.tags(),
  licenseType: Joi.valid(...licenseTypes).required(),
  ccType: Joi.valid(...ccTypes),
};

/** VOD item of `interface.md 2`, for its owner. */
export const privateVodAnswer: ObjectSchema = Joi.object({
  ...members,
  valueDate: wire.date().required(),
  expirationDate: wire.date(),
  public: Joi.boolean().required(),
}).meta({ className: 'VodItem' });

/** The same for everybody. */
export const publicVodAnswer: ObjectSchema = Joi.object({ ...members, publisher: publisherAnswer.required() }).meta({
  className: 'PublicVodItem',
});
