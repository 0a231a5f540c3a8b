import type { Messages } from '../platform/i18n.js';

/** The error page for browsers. */
export const errorPageMessages: Messages = {
  'errorPage.notFound': {
    en: 'Page not found',
    it: 'Qui non c’è nulla',
    es: 'Aquí no hay nada',
    fr: 'Il n’y a rien ici',
    pt: 'Não há nada aqui',
    de: 'Hier gibt es nichts',
  },
  'errorPage.notFoundText': {
    en: 'It may have been removed, or the link may be wrong.',
    it: 'Potrebbe essere stato rimosso, oppure il link è errato.',
    es: 'Puede que se haya eliminado, o que el enlace sea incorrecto.',
    fr: 'Le contenu a peut-être été supprimé, ou le lien est erroné.',
    pt: 'Pode ter sido removido, ou o link está errado.',
    de: 'Der Inhalt wurde möglicherweise entfernt, oder der Link ist falsch.',
  },
  'errorPage.refused': {
    en: 'This is not possible',
    it: 'Questo non è possibile',
    es: 'Esto no es posible',
    fr: 'Ceci n’est pas possible',
    pt: 'Isto não é possível',
    de: 'Das ist nicht möglich',
  },
  'errorPage.unavailable': {
    en: 'Not available right now',
    it: 'Al momento non disponibile',
    es: 'No disponible en este momento',
    fr: 'Momentanément indisponible',
    pt: 'Indisponível neste momento',
    de: 'Derzeit nicht verfügbar',
  },
  'errorPage.retries': {
    en: 'This page tries again automatically.',
    it: 'Questa pagina riprova automaticamente.',
    es: 'Esta página lo intenta de nuevo automáticamente.',
    fr: 'Cette page réessaie automatiquement.',
    pt: 'Esta página tenta de novo automaticamente.',
    de: 'Diese Seite versucht es automatisch erneut.',
  },
  'errorPage.goBack': {
    en: 'Go back, and send the form again.',
    it: 'Torna indietro e invia di nuovo il modulo.',
    es: 'Vuelve atrás y envía de nuevo el formulario.',
    fr: 'Revenez en arrière et renvoyez le formulaire.',
    pt: 'Volte atrás e envie o formulário de novo.',
    de: 'Gehen Sie zurück und senden Sie das Formular erneut ab.',
  },
  'errorPage.again': {
    en: 'Try again now',
    it: 'Riprova ora',
    es: 'Reintentar ahora',
    fr: 'Réessayer maintenant',
    pt: 'Tentar de novo agora',
    de: 'Jetzt erneut versuchen',
  },
  'errorPage.start': {
    en: 'To the start page',
    it: 'Alla pagina iniziale',
    es: 'Ir a la página de inicio',
    fr: 'Vers la page d’accueil',
    pt: 'Ir para a página inicial',
    de: 'Zur Startseite',
  },
};
