import Joi from 'joi';
import type { EdgeUsage } from '../../shared/playback/edgeUsage.service.js';
import { reject, validationContextOf } from '../../shared/platform/validation.js';
import { integer, text, wire } from '../http/fields.js';

/** Above the length of all names: stream paths have up to 64 characters, user codes up to 50. */
const nameLength = 1024;
const name = () => Joi.string().max(nameLength).required();

/** The path segment `<integration>`: `INTEGRATION_NAME`. Any other value is 404, like an unknown path. */
const integration = Joi.string()
  .custom((value: string, helpers) =>
    value === validationContextOf(helpers).config.service.integrationName
      ? value
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
  token: Joi.string().required().description('The grant of a playback URL.'),
});
export const streamNameQuery = Joi.object<{ readonly streamName?: string }>({
  streamName: Joi.string()
    .max(nameLength)
    .empty('')
    .description('If sent, only tokens of this live stream are valid; otherwise all tokens of this service'),
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
  recorded: Joi.boolean().required().description('Whether the event is recorded.'),
});
export const castStreamNameResponse = Joi.object({
  channelCode: wire.id().required().description('Id of the channel.'),
  creatorCode: userCode(),
});
export const castEntityResponse = Joi.object({
  entityType: Joi.valid('CHANNEL', 'STREAM').required().description('Kind of the path’s owner.'),
  creatorCode: userCode(),
});
export const uploadedResponse = Joi.object({
  boxId: wire.id().required(),
  title: Joi.string().required(),
  contentId: wire.contentId().required(),
  resourceId: wire.id().required(),
  creatorCode: userCode(),
});

/** Each entry has two members: together they stay below the limit of a body's members. */
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
    .description('Id of the batch, chosen by the sender. A batch with the same id is counted only once.'),
  usage: Joi.array()
    .items(
      Joi.object({
        address: text(nameLength)
          .required()
          .description(
            'An address below `/e/<token>/`, or a CDN address with `?grant=<grant>`. One address is enough for all bytes with the same token or grant.',
          ),
        bytes: bytes().description('Bytes of the response bodies.'),
      }),
    )
    .max(maxUsage)
    .required()
    .description('Sent bytes by address.'),
});
export const edgeUsageResponse = Joi.object({
  isNew: Joi.boolean().required().description('False if the batch was counted before.'),
  countedBytes: bytes(maxUsage * maxBytes).description('Bytes added to the band of publishers.'),
  refusedBytes: bytes(maxUsage * maxBytes).description(
    'Bytes not counted: addresses with an invalid signature, and publishers that no longer exist.',
  ),
});
