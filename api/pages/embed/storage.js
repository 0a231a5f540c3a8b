/* What this browser keeps for later visits. Where that is not permitted, as in some frames, it lasts as long as the page. */

const kept = new Map();

/** Null: nothing is kept. */
export function keptText(key) {
  try {
    return localStorage.getItem(key) ?? kept.get(key) ?? null;
  } catch {
    return kept.get(key) ?? null;
  }
}

/** Null: nothing is kept any more. */
export function keepText(key, text) {
  try {
    if (text === null) {
      kept.delete(key);
      localStorage.removeItem(key);
    } else {
      kept.set(key, text);
      localStorage.setItem(key, text);
    }
  } catch {
    // Not permitted in this frame.
  }
}
