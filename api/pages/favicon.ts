/** The icon of every page: a play symbol, readable at 16 pixels on light and dark backgrounds. */
export const faviconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3a48c9"/><path d="M12 9.5v13l11-6.5Z" fill="#fff"/></svg>';

/** The icon as a data URL, so that pages need no request for it. */
export const faviconAddress = `data:image/svg+xml,${encodeURIComponent(faviconSvg)}`;
