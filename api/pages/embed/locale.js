/* Language and region, chosen by the server, of the dates, times and numbers in the scripts: `de-CH`. */
export const { locale = document.documentElement.lang } = document.body.dataset;
