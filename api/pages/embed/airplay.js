/*
 * A receiver of AirPlay plays an address, not what a script appends to a media source. So the playlist is named beside the
 * source of hls.js, and Safari gives it to the receiver (webkit.org/blog/15036/how-to-use-media-source-extensions-with-airplay).
 */
import { video } from './playerPage.js';

const isAirPlayPossible = 'WebKitPlaybackTargetAvailabilityEvent' in window;

/** To be called whenever hls.js has attached the element, as it also does for another playlist. It removes old sources itself. */
export function offerToReceivers(address) {
  // Without the elements `source`, this browser gets the media source in another way, in which it cannot be replaced.
  if (!isAirPlayPossible || address === '' || video.querySelector('source') === null) return;
  const source = document.createElement('source');
  source.type = 'application/x-mpegURL';
  source.src = address;
  video.append(source);
  video.disableRemotePlayback = false;
}
