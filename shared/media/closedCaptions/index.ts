export { ChannelDivider, captionChannels, type CaptionChannel } from './captionChannels.js';
export { CaptionDecoder, type DecodedCaption } from './captionDecoder.js';
export { captionsOfFrame, frameCaptionsIn, hideClosedCaptions, type CaptionPair } from './captionPairs.js';
