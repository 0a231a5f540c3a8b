import Joi, { type Schema } from 'joi';
import { contentMembers } from '../http/contentMembers.js';
import { integer, wire } from '../http/fields.js';
import { bundleResponse, publicBundleResponse } from './contentbundle.schemas.js';

/** At most this many in one request. */
const maximumSourceItems = 1000;

const place = () => integer().min(0).required();

export interface InsertBody {
  readonly index: number;
  readonly sourceItems: readonly { readonly boxId: string }[];
}

/** An id that cannot be one names nothing, as an unknown one: the bundle says so of all of them at once. */
export const insertBody = Joi.object<InsertBody>({
  index: place(),
  sourceItems: Joi.array()
    .items(Joi.object({ boxId: Joi.string().trim().lowercase().max(100).required() }))
    .min(1)
    .max(maximumSourceItems)
    .required(),
});

export const moveBody = Joi.object<{ fromIndex: number; toIndex: number }>({ fromIndex: place(), toIndex: place() });

export const removeBody = Joi.object<{ index: number; count: number }>({
  index: place(),
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
