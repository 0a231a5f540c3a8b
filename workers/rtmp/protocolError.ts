/** The peer has broken the protocol or a limit. The message is for the log and contains nothing that the peer has sent. */
export class RtmpProtocolError extends Error {
  override readonly name = 'RtmpProtocolError';
}
