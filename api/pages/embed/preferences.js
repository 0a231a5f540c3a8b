/* What the address of the page asks for. Pure: a bad value counts as none. */

const amount =
  /^(?:(?<plain>\d{1,6}(?:\.\d{1,3})?)|(?=\d)(?:(?<hours>\d{1,3})h)?(?:(?<minutes>\d{1,4})m)?(?:(?<seconds>\d{1,6})s)?)$/;
const truths = ['', '1', 'true'];

/** Seconds of `90`, `1m30s` or `1h2m`; 0 where it is none of these. */
function secondsOf(text) {
  const { plain, hours = 0, minutes = 0, seconds = 0 } = amount.exec(text ?? '')?.groups ?? {};
  return plain === undefined ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : Number(plain);
}

/**
 * The wishes in the query of an address: `startSeconds`, and whether to play at once, without sound, and again at the end.
 * A start behind the end of the video (`durationSeconds`) is none.
 */
export function preferencesOf(search, durationSeconds) {
  const query = new URLSearchParams(search);
  const wants = (name) => truths.includes(query.get(name) ?? 'no');
  const startSeconds = secondsOf(query.get('t'));
  return {
    startSeconds: startSeconds < durationSeconds ? startSeconds : 0,
    autoplay: wants('autoplay'),
    muted: wants('muted'),
    loop: wants('loop'),
  };
}
