import { playCast } from './cast.js';
import { listenToKeys } from './controls.js';
import { playLive } from './live.js';
import { offerVideo } from './paidVideo.js';
import { control, player } from './page.js';
import { playVideo } from './video.js';

control.again.addEventListener('click', () => location.reload());
listenToKeys();
if (player.dataset.live !== undefined) playLive();
else if (player.dataset.cast !== undefined) playCast();
else if (player.dataset.ask !== undefined) offerVideo();
else playVideo();
