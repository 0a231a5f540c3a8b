import Joi, { type Schema } from 'joi';
import { contentMembers } from '../http/contentMembers.js';
import { integer, position, text, wire } from '../http/fields.js';
import { bundleResponse, publicBundleResponse } from './contentbundle.schemas.js';

const maxSourceItems = 1000;

export interface InsertItemsBody {
  readonly index: number;
  readonly sourceItems: readonly { readonly boxId: string }[];
}

/** A malformed `boxId` passes here: it is reported like an unknown one, together with all other invalid box items. */
export const insertBody = Joi.object<InsertItemsBody>({
  index: position('Position before which the items are inserted, from 0.').required(),
  sourceItems: Joi.array()
    .items(Joi.object({ boxId: text(100).lowercase().required() }))
    .min(1)
    .max(maxSourceItems)
    .required()
    .description('The box items, in order.'),
});

export const moveBody = Joi.object<{ fromIndex: number; toIndex: number }>({
  fromIndex: position('Position of the item, from 0.').required(),
  toIndex: position('Position before which the item is moved, from 0.').required(),
});

export const removeBody = Joi.object<{ index: number; count: number }>({
  index: position('Position of the first one to remove, from 0.').required(),
  count: integer().min(1).required().description('Number of items to remove.'),
});

/** Bundle item of `docs/contract.md#fields-ordered-bundle`. */
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
