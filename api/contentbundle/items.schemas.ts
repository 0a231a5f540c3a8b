import Joi, { type Schema } from 'joi';
import { contentMembers } from '../http/contentMembers.js';
import { integer, text, wire } from '../http/fields.js';
import { bundleResponse, publicBundleResponse } from './contentbundle.schemas.js';

const maximumSourceItems = 1000;

const position = () => integer().min(0).required();

export interface InsertBody {
  readonly index: number;
  readonly sourceItems: readonly { readonly boxId: string }[];
}

/** `boxId` may be malformed here: it is then reported like an unknown one, together with all other bad box items. */
export const insertBody = Joi.object<InsertBody>({
  index: position(),
  sourceItems: Joi.array()
    .items(Joi.object({ boxId: text(100).lowercase().required() }))
    .min(1)
    .max(maximumSourceItems)
    .required(),
});

export const moveBody = Joi.object<{ fromIndex: number; toIndex: number }>({
  fromIndex: position(),
  toIndex: position(),
});

export const removeBody = Joi.object<{ index: number; count: number }>({
  index: position(),
  count: integer().min(1).required(),
});

/** Bundle item of `docs/contract.md#fields-bundle-item`. */
const itemResponse = Joi.object({
  itemCode: wire.id().required(),
  vodId: wire.id().required(),
  boxId: wire.id().required(),
  ...contentMembers,
}).meta({ className: 'BundleItem' });

const orderedResponse = (bundle: Schema) =>
  Joi.object({ bundle: bundle.required(), items: Joi.array().items(itemResponse).required() });

export const orderedBundleResponse = orderedResponse(bundleResponse).meta({ className: 'OrderedBundle' });
export const publicOrderedBundleResponse = orderedResponse(publicBundleResponse).meta({
  className: 'PublicOrderedBundle',
});
