/*
 * AirPlay receivers play a URL, not a media source. The URL of the playlist is therefore added as a second source, which Safari
 * sends to the receiver (webkit.org/blog/15036/how-to-use-media-source-extensions-with-airplay).
 */
import { video } from './playerPage.js';

const isAirPlayPossible = 'WebKitPlaybackTargetAvailabilityEvent' in window;

/** Call it whenever hls.js has attached the element, which it also does for another playlist. hls.js removes old sources. */
export function offerToReceivers(address) {
  // Without `source` elements, hls.js has attached the media source in a way that permits no second source.
  if (!isAirPlayPossible || address === '' || video.querySelector('source') === null) return;
  const source = document.createElement('source');
  source.type = 'application/x-mpegURL';
  source.src = address;
  video.append(source);
  video.disableRemotePlayback = false;
}
