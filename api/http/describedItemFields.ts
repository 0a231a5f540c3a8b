import Joi, { type ObjectSchema } from 'joi';
import { changeBody, type ChangeRules } from './changeBody.js';
import { id, optionalText, tags, text, wire } from './fields.js';

/*
 * Name or title, description, thumbnail and tags in requests and responses: of box items, bundles, live channels and events, cast
 * channels, streams and programs; and of items that show a box item.
 */

/** Members of requests, all optional. */
export const descriptionMembers = {
  description: optionalText(20_000),
  thumbnailId: id().empty(''),
  tags: tags(),
};

export const namedMembers = { name: text(255).required(), ...descriptionMembers };
export const maxTitleLength = 255;
export const titledMembers = { title: text(maxTitleLength).required(), ...descriptionMembers };

const changedDescription = {
  description: Joi.string().trim().max(20_000).allow(''),
  thumbnailId: id().allow(''),
};

/** The change of an item that these members describe. */
export function describedChangeBody<Body extends object>(
  item: ObjectSchema<Body>,
  rules: Partial<ChangeRules> = {},
): ObjectSchema<Partial<Body>> {
  const emptied = { description: '', thumbnailId: '', tags: [] };
  return changeBody(item, {
    example: { description: 'From the spring to the sea' },
    ...rules,
    members: { ...changedDescription, ...rules.members },
    emptied,
  });
}

const describedResponse = { description: Joi.string(), thumbnailId: wire.id(), tags: wire.tags() };

/** Members of responses. */
export const namedResponse = { name: Joi.string().required(), ...describedResponse };
export const titledResponse = { title: Joi.string().required(), ...describedResponse };
