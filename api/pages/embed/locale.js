/* Language and region of the dates, times and numbers that the scripts write, as the server has chosen them: `de-CH`. */
export const { locale = document.documentElement.lang } = document.body.dataset;
