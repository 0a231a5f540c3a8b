import Joi from 'joi';
import type { EdgeUsage } from '../../shared/playback/edgeUsage.service.js';
import { reject, validationContextOf } from '../../shared/platform/validation.js';
import { integer, text, wire } from '../http/fields.js';

/** Longer names belong to nothing: stream paths have up to 64 characters, user codes up to 50. */
const nameLength = 1024;
const name = () => Joi.string().max(nameLength).required();

/** The segment `<integration>` of the paths: `INTEGRATION_NAME`. Any other is 404, as an unknown path. */
const integration = Joi.string()
  .custom((given: string, helpers) =>
    given === validationContextOf(helpers).config.service.integrationName
      ? given
      : reject(helpers, 'validation.notAllowed'),
  )
  .description('INTEGRATION_NAME of the deployment')
  .required();

export interface IntegrationParams {
  readonly integration: string;
}
export const integrationParams = Joi.object<IntegrationParams>({ integration });

export interface UserParams extends IntegrationParams {
  readonly userCode: string;
}
export const userParams = Joi.object<UserParams>({ integration, userCode: name() });

export interface TokenParams extends IntegrationParams {
  readonly token: string;
}
export const tokenParams = Joi.object<TokenParams>({
  integration,
  token: Joi.string().required().description('The grant of a playback address.'),
});
export const streamNameQuery = Joi.object<{ readonly streamName?: string }>({
  streamName: Joi.string()
    .max(nameLength)
    .empty('')
    .description('Only a token of this live stream is valid; without it, any token of this service is'),
});

export interface StreamParams extends IntegrationParams {
  readonly streamName: string;
}
export const streamParams = Joi.object<StreamParams>({ integration, streamName: name() });
export const objectQuery = Joi.object<Pick<StreamParams, 'streamName'>>({
  streamName: name().description('The object name of a content.'),
});

const userCode = () => Joi.string().required().description('User code of the owner');

export const livePasswordResponse = Joi.object({ livePassword: Joi.string() });
export const creatorResponse = Joi.object({ creatorCode: userCode() });
export const recordedResponse = Joi.object({
  recorded: Joi.boolean().required().description('The event is to be recorded.'),
});
export const castStreamNameResponse = Joi.object({
  channelCode: wire.id().required().description('Id of the channel.'),
  creatorCode: userCode(),
});
export const castEntityResponse = Joi.object({
  entityType: Joi.valid('CHANNEL', 'STREAM').required().description('What the path belongs to.'),
  creatorCode: userCode(),
});
export const uploadedResponse = Joi.object({
  boxId: wire.id().required(),
  title: Joi.string().required(),
  contentId: wire.contentId().required(),
  resourceId: wire.id().required(),
  creatorCode: userCode(),
});

/** With two members each, below the members of a body. */
const maxUsage = 2_000;
/** The sum of a batch is a safe integer. */
const maxBytes = 4e12;
const bytes = (maximum = maxBytes) => integer().min(0).max(maximum).required();

export interface EdgeUsageBody {
  readonly batchId: string;
  readonly usage: readonly EdgeUsage[];
}
export const edgeUsageBody = Joi.object<EdgeUsageBody>({
  batchId: text(100)
    .required()
    .description('Chosen by the sender, another one for each batch. One that was counted is not counted again.'),
  usage: Joi.array()
    .items(
      Joi.object({
        address: text(nameLength)
          .required()
          .description(
            'Below `/e/<token>/`, or of a CDN with `?grant=<grant>`; with one token or grant, one address is enough for all.',
          ),
        bytes: bytes().description('Of the bodies of the responses.'),
      }),
    )
    .max(maxUsage)
    .required()
    .description('What was sent, by address.'),
});
export const edgeUsageResponse = Joi.object({
  isNew: Joi.boolean().required().description('False: the batch was counted before.'),
  countedBytes: bytes(maxUsage * maxBytes).description('Added to the band of publishers.'),
  refusedBytes: bytes(maxUsage * maxBytes).description(
    'Of addresses with another signature, and of publishers who are gone.',
  ),
});
