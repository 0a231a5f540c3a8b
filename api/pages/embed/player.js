import { placeCaptions } from './captionPlace.js';
import { playCast } from './cast.js';
import './controls.js';
import { listenToKeys } from './keys.js';
import { playLive } from './liveEvent.js';
import { offerVideo } from './paidVideo.js';
import { control, player, video } from './playerPage.js';
import { playVideo } from './video.js';
import { preferencesOf } from './preferences.js';

control.again.addEventListener('click', () => location.reload());
listenToKeys();
placeCaptions();
if (preferencesOf(location.search).muted) video.muted = true;
if (player.dataset.live !== undefined) playLive();
else if (player.dataset.cast !== undefined) playCast();
else if (player.dataset.ask !== undefined) offerVideo();
else playVideo();
