/* Values that the browser stores for later visits. Without storage, as in some frames, they last until the page closes. */

const texts = new Map();

/** The stored text of a key; null if there is none. */
export function storedText(key) {
  try {
    return localStorage.getItem(key) ?? texts.get(key) ?? null;
  } catch {
    return texts.get(key) ?? null;
  }
}

/** Stores a text; null removes it. */
export function storeText(key, text) {
  try {
    if (text === null) {
      texts.delete(key);
      localStorage.removeItem(key);
    } else {
      texts.set(key, text);
      localStorage.setItem(key, text);
    }
  } catch {
    // Not permitted in this frame.
  }
}
