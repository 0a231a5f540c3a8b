/** The peer has violated the protocol or a limit. The message is for the log, and contains no data of the peer. */
export class RtmpProtocolError extends Error {
  override readonly name = 'RtmpProtocolError';
}
