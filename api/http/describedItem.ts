import Joi from 'joi';
import { id, optionalText, tags, text, wire } from './fields.js';

/*
 * Name or title, description, thumbnail and tags in requests and responses: of box items, bundles, live channels and events, cast
 * channels, streams and programs; and of what shows a box item.
 */

/** Members of requests, all optional. */
export const descriptionMembers = {
  description: optionalText(20_000),
  thumbnailId: id().empty(''),
  tags: tags(),
};

export const namedMembers = { name: text(255).required(), ...descriptionMembers };
export const maximumTitleLength = 255;
export const titledMembers = { title: text(maximumTitleLength).required(), ...descriptionMembers };

const describedResponse = { description: Joi.string(), thumbnailId: wire.id(), tags: wire.tags() };

/** Members of responses. */
export const namedResponse = { name: Joi.string().required(), ...describedResponse };
export const titledResponse = { title: Joi.string().required(), ...describedResponse };
