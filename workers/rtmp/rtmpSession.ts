import { authenticationFailed, needAuthentication, type AdobeChallenges } from './adobeChallenge.js';
import {
  connectError,
  connectResult,
  decodeCommand,
  decodeData,
  fcNotification,
  mediaStreamId,
  membersOf,
  publishStatus,
  result,
  type RtmpCommand,
} from './commands.js';
import { queryCredentials, readChallengeStep, readName, type Credentials } from './encoderCredentials.js';
import { authenticateEncoder, encoderRefusalOf, offer, type PublishDecisions, type Refusal } from './decisions.js';
import { readMetadata } from './metadata.js';
import type { RtmpLimits } from './limits.js';
import type { LoginRequests } from './loginRequests.js';
import {
  messageType,
  setChunkSize,
  setPeerBandwidth,
  streamBegin,
  windowAcknowledgementSize,
  type RtmpMessage,
  type ServerMessage,
} from './rtmpMessage.js';
import type { Peer } from './peer.js';
import { RtmpProtocolError } from './protocolError.js';
import { RtmpPublicationFeed, type RtmpPublicationEnd } from './publication.js';

interface SessionOptions<Owner> {
  readonly peer: Peer;
  readonly decisions: PublishDecisions<Owner>;
  readonly challenges: AdobeChallenges;
  readonly loginRequests: LoginRequests;
  readonly limits: RtmpLimits;
  now(this: void): Date;
}

const windowBytes = 5_000_000;
/** Each response fits into one chunk, because some encoders read only the first chunk of a rejection. */
export const serverChunkSize = 4096;

const noLogin = { reason: 'no login', detail: 'did not return after the request to log in' };
/** The commands of one connection, from `connect` to the end of its only publication. */
export class RtmpSession<Owner> {
  readonly #options: SessionOptions<Owner>;
  readonly #peer: Peer;
  #application: 'live' | 'key' | null = null;
  #credentials: Credentials = { kind: 'none' };
  #hasStream = false;
  #publication: RtmpPublicationFeed<Owner> | null = null;

  constructor(options: SessionOptions<Owner>) {
    this.#options = options;
    this.#peer = options.peer;
  }

  /** Null until the caller has allowed a publication. */
  get publication(): RtmpPublicationFeed<Owner> | null {
    return this.#publication;
  }

  /** Handles a message. Returns a promise if the next message has to wait. `onMedia` is called for audio and video. */
  take(message: RtmpMessage, onMedia: () => void): Promise<void> | undefined {
    switch (message.type) {
      case messageType.audio:
      case messageType.video:
        if (this.#published().take(message)) onMedia();
        return undefined;
      case messageType.dataAmf0:
      case messageType.dataAmf3:
        this.#takeData(message);
        return undefined;
      case messageType.commandAmf0:
      case messageType.commandAmf3:
        return this.#command(decodeCommand(message));
      default:
        return undefined;
    }
  }

  #published(): RtmpPublicationFeed<Owner> {
    if (!this.#publication) throw new RtmpProtocolError('media before publish');
    return this.#publication;
  }

  #takeData(message: RtmpMessage): void {
    const publication = this.#published();
    try {
      const metadata = readMetadata(decodeData(message));
      if (metadata) publication.metadata = metadata;
    } catch (error) {
      // Captions and cue points may contain any data, and media does not depend on them.
      if (!(error instanceof RtmpProtocolError)) throw error;
    }
  }

  #command(command: RtmpCommand): Promise<void> | undefined {
    if (command.name === 'connect') return this.#connect(command);
    if (!this.#application) throw new RtmpProtocolError('a command before connect');
    switch (command.name) {
      case 'releaseStream':
      case 'FCPublish':
        this.#peer.send([result(command.transaction)]);
        return undefined;
      case 'createStream':
        if (this.#hasStream) throw new RtmpProtocolError('several streams on one connection');
        this.#hasStream = true;
        this.#peer.send([result(command.transaction, null, mediaStreamId)]);
        return undefined;
      case 'publish':
        return this.#publish(command, this.#application);
      case 'FCUnpublish':
      case 'deleteStream':
      case 'closeStream':
        this.#publication?.end('unpublished');
        return undefined;
      case 'play':
      case 'play2':
        this.#refusePublish('This server only receives streams.', {});
        return undefined;
      default:
        return undefined;
    }
  }

  async #connect({ transaction, values }: RtmpCommand): Promise<void> {
    if (this.#application) throw new RtmpProtocolError('connect twice');
    const app = membersOf(values[0]).get('app');
    const named = typeof app === 'string' ? readName(app) : null;
    this.#peer.send([
      windowAcknowledgementSize(windowBytes),
      setPeerBandwidth(windowBytes),
      setChunkSize(serverChunkSize),
    ]);
    const application = named?.name;
    if (!named || (application !== 'live' && application !== 'key')) {
      this.#peer.onRefused({ reason: 'unknown application', ...(application !== undefined && { application }) });
      return this.#peer.dismiss([connectError(transaction, 'Unknown application.')]);
    }
    const credentials = this.#readCredentials(application, named.parameters, transaction);
    if (!credentials) return;
    const { remoteAddress } = this.#peer;
    if (credentials.kind !== 'none') {
      const verdict = await authenticateEncoder(this.#options.decisions, {
        application,
        streamPath: null,
        credentials,
        remoteAddress,
      });
      if (!this.#peer.isOpen) return;
      if (!verdict.allowed) {
        this.#peer.onRefused({ ...encoderRefusalOf(verdict), application, user: credentials.user }, verdict.err);
        const description = credentials.kind === 'adobe' ? authenticationFailed : verdict.reason;
        return this.#peer.dismiss([connectError(transaction, description)]);
      }
    }
    this.#application = application;
    this.#credentials = credentials;
    this.#peer.send([connectResult(transaction)]);
  }

  /** Null if the encoder has to connect again with credentials. */
  #readCredentials(
    application: 'live' | 'key',
    parameters: ReadonlyMap<string, string>,
    transaction: number,
  ): Credentials | null {
    if (application === 'key') return queryCredentials(parameters);
    const { challenges, loginRequests } = this.#options;
    const { remoteAddress } = this.#peer;
    if (parameters.get('authmod') === 'adobe') loginRequests.returned(remoteAddress);
    const step = readChallengeStep(parameters, challenges);
    if (step !== 'need authentication' && 'kind' in step) return step;
    const user = step === 'need authentication' ? {} : { user: step.challengeFor };
    const description = step === 'need authentication' ? needAuthentication : challenges.describe(step.challengeFor);
    loginRequests.ask(remoteAddress, () => this.#peer.onRefused({ ...noLogin, application, ...user }));
    this.#peer.dismiss([connectError(transaction, description)]);
    return null;
  }

  async #publish({ values }: RtmpCommand, application: 'live' | 'key'): Promise<void> {
    if (this.#publication) throw new RtmpProtocolError('several streams on one connection');
    const [, streamName] = values;
    const named = typeof streamName === 'string' ? readName(streamName) : null;
    if (!named) return this.#refusePublish('The stream has no valid name.', { application });
    const { name: streamPath, parameters } = named;
    const { limits, now, decisions } = this.#options;
    const { remoteAddress } = this.#peer;
    const credentials = this.#credentials.kind === 'none' ? queryCredentials(parameters) : this.#credentials;
    const verdict = await authenticateEncoder(decisions, { application, streamPath, credentials, remoteAddress });
    if (!this.#peer.isOpen) return;
    const where = { application, streamPath, ...(credentials.kind !== 'none' && { user: credentials.user }) };
    if (!verdict.allowed)
      return this.#refusePublish(verdict.reason, { ...encoderRefusalOf(verdict), ...where }, verdict.err);
    const publication = new RtmpPublicationFeed({
      application,
      streamPath,
      remoteAddress,
      owner: verdict.owner,
      limits,
      now,
      onEnd: (end) => this.#onEnd(end),
    });
    this.#publication = publication;
    const refused = await offer(decisions, publication);
    if (refused) {
      this.#peer.onRefused({ reason: refused.reason, ...where }, refused.err);
      publication.end('not accepted', refused.reason);
    }
    if (!this.#peer.isOpen) return;
    this.#peer.send([
      streamBegin(mediaStreamId),
      fcNotification('onFCPublish', 'NetStream.Publish.Start'),
      publishStatus('status', 'NetStream.Publish.Start', 'The stream is published.'),
    ]);
  }

  #refusePublish(reason: string, where: Omit<Refusal, 'reason' | 'remoteAddress'>, err?: unknown): void {
    this.#peer.onRefused({ ...where, reason }, err);
    this.#peer.dismiss([denied(reason)]);
  }

  #onEnd(end: RtmpPublicationEnd): void {
    if (end.reason === 'unpublished')
      this.#peer.dismiss([
        fcNotification('onFCUnpublish', 'NetStream.Unpublish.Success'),
        publishStatus('status', 'NetStream.Unpublish.Success', 'The stream is no longer published.'),
      ]);
    else if (end.reason === 'unsupported codec') {
      const { application, streamPath } = this.#published();
      this.#peer.onRefused({ ...end, application, streamPath });
      this.#peer.dismiss([denied(`unsupported codec: ${end.detail}. Send H.264 video, with AAC or MP3 audio.`)]);
    } else if (end.reason === 'not accepted') this.#peer.dismiss([denied(end.detail ?? end.reason)]);
    this.#peer.onEnd();
  }
}

/**
 * OBS and GStreamer log this code with its description; after other codes, OBS continues to send until the connection is closed.
 */
function denied(reason: string): ServerMessage {
  return publishStatus('error', 'NetStream.Publish.Denied', reason);
}
