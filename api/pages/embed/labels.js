/* Labels of the controls in the language of the page. Import it before the elements that show them. */
import { addTranslation, setLanguage } from 'media-chrome/dist/utils/i18n.js';

const { lang } = document.documentElement;
addTranslation(lang, JSON.parse(document.getElementById('player').dataset.labels));
setLanguage(lang);
