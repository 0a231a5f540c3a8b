import Joi from 'joi';
import { editableContentOf, ownItem } from '../../shared/box/box.queries.js';
import { audioTracksOf, offerAudioTracks, type OfferedTrack } from '../../shared/content/audioTracks.service.js';
import { maxAudioTracks } from '../../shared/media/audioPackets.js';
import { integer, text } from '../http/fields.js';
import { languageField } from '../http/languageField.js';
import { defineRoute, type Route } from '../http/route.js';
import { boxParams } from './box.schemas.js';

interface TracksBody {
  readonly tracks: readonly OfferedTrack[];
}

const audioIndexDescription = 'Index among the audio streams of the uploaded file, from 0.';

const tracksBody = Joi.object<TracksBody>({
  tracks: Joi.array()
    .items(
      Joi.object<OfferedTrack, true>({
        trackId: integer()
          .min(0)
          .max(maxAudioTracks - 1)
          .required()
          .example(0)
          .description(audioIndexDescription),
        language: languageField().required(),
        label: text(100).required().description('Name in the player’s menu.'),
      }),
    )
    .min(1)
    .max(maxAudioTracks)
    .required()
    .description('The tracks to offer, the default track first. All other tracks are removed.'),
});

const tracksResponse = Joi.object({
  tracks: Joi.array()
    .items(
      Joi.object({
        trackId: Joi.number().integer().required().description(audioIndexDescription),
        language: Joi.string()
          .required()
          .description('Language tag (BCP 47), such as `en` or `pt-BR`; `und` if it is not known.'),
        label: Joi.string().required().description('Name in the player’s menu.'),
        channels: Joi.number().integer().required().description('Number of channels in the uploaded file.'),
        isOffered: Joi.boolean().required().description('False if the owner has removed the track.'),
      }),
    )
    .required()
    .description(
      'The offered tracks, the default track first; then the removed ones. Empty until the file was probed.',
    ),
}).meta({ className: 'AudioTracks' });

/** `docs/contract.md#tracks`. */
export const trackRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/box/:boxId/tracks',
    status: 200,
    operationId: 'getAudioTracks',
    summary: 'Get the audio tracks of a content',
    description: 'The audio streams of the uploaded file, at most eight, with the languages and titles of the file.',
    params: boxParams,
    response: tracksResponse,
    async handle({ ctx, userId, params }) {
      const { content } = await ownItem(ctx, userId, params.boxId);
      return { tracks: await audioTracksOf(ctx, content.id) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId/tracks',
    status: 200,
    operationId: 'setAudioTracks',
    summary: 'Name, order and remove the audio tracks of a content',
    description: 'New playbacks of the content have the new list. A removed track can be offered again.',
    params: boxParams,
    body: tracksBody,
    errors: [403],
    response: tracksResponse,
    async handle({ ctx, userId, params, body }) {
      const contentId = await editableContentOf(ctx, userId, params.boxId);
      return { tracks: await offerAudioTracks(ctx, contentId, body.tracks) };
    },
  }),
];
