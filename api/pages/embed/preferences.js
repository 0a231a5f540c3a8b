/* Playback preferences in the page's address. Pure; an invalid value counts as not sent. */

const amount =
  /^(?:(?<plain>\d{1,6}(?:\.\d{1,3})?)|(?=\d)(?:(?<hours>\d{1,3})h)?(?:(?<minutes>\d{1,4})m)?(?:(?<seconds>\d{1,6})s)?)$/;
const truths = ['', '1', 'true'];

/** Seconds of `90`, `1m30s` or `1h2m`; 0 for any other text. */
function secondsOf(text) {
  const { plain, hours = 0, minutes = 0, seconds = 0 } = amount.exec(text ?? '')?.groups ?? {};
  return plain === undefined ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : Number(plain);
}

/**
 * The preferences in the query of an address: `startSeconds`, and whether to start automatically, muted, and in a loop. A start
 * after the end of the video (`durationSeconds`) is ignored.
 */
export function preferencesOf(search, durationSeconds) {
  const query = new URLSearchParams(search);
  const isSet = (name) => truths.includes(query.get(name) ?? 'no');
  const startSeconds = secondsOf(query.get('t'));
  return {
    startSeconds: startSeconds < durationSeconds ? startSeconds : 0,
    autoplay: isSet('autoplay'),
    muted: isSet('muted'),
    loop: isSet('loop'),
  };
}
