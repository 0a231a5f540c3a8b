import type { Messages } from '../platform/i18n.js';

/** Content bundles, their items, and subscriptions. */
export const bundleMessages = {
  'bundle.ownBundle': {
    en: 'This is your own bundle: you need no subscription to it.',
    it: 'Questo pacchetto è tuo: non ti serve un abbonamento.',
    es: 'Este paquete es tuyo: no necesitas una suscripción.',
    fr: 'Ce bouquet est le vôtre : vous n’avez pas besoin d’abonnement.',
    pt: 'Este pacote é seu: não precisa de uma subscrição.',
  },
  'bundle.hasItems': {
    en: 'The bundle still has items. Remove them first.',
    it: 'Il pacchetto contiene ancora elementi. Rimuovili prima.',
    es: 'El paquete todavía tiene elementos. Quítalos primero.',
    fr: 'Le bouquet contient encore des éléments. Retirez-les d’abord.',
    pt: 'O pacote ainda tem elementos. Remova-os primeiro.',
  },
  'bundle.hasSubscriptions': {
    en: 'The bundle has subscribers whose time is not over.',
    it: 'Il pacchetto ha abbonati il cui periodo non è terminato.',
    es: 'El paquete tiene suscriptores cuyo periodo no ha terminado.',
    fr: 'Le bouquet a des abonnés dont la période n’est pas terminée.',
    pt: 'O pacote tem subscritores cujo período não terminou.',
  },
  'bundle.notPlayableNow': {
    en: 'The videos of this bundle cannot be played at the moment, so it cannot be paid for. Please try again later.',
    it: 'Al momento i video di questo pacchetto non possono essere riprodotti, quindi non può essere pagato. Riprova più tardi.',
    es: 'En este momento los vídeos de este paquete no se pueden reproducir, así que no se puede pagar. Inténtalo más tarde.',
    fr: 'Les vidéos de ce bouquet ne peuvent pas être lues pour le moment, il ne peut donc pas être payé. Réessayez plus tard.',
    pt: 'No momento os vídeos deste pacote não podem ser reproduzidos, portanto não pode ser pago. Tente mais tarde.',
  },
  'bundle.outOfRange': {
    en: 'There is no such place: the bundle has {{count}} {{count:item|items}}.',
    it: 'Questa posizione non esiste: il pacchetto ha {{count}} {{count:elemento|elementi}}.',
    es: 'Esta posición no existe: el paquete tiene {{count}} {{count:elemento|elementos}}.',
    fr: 'Cette position n’existe pas : le bouquet a {{count}} {{count:élément|éléments}}.',
    pt: 'Esta posição não existe: o pacote tem {{count}} {{count:elemento|elementos}}.',
  },
  'bundle.boxItemTwice': {
    en: 'This box item is given more than once.',
    it: 'Questo elemento del box è indicato più di una volta.',
    es: 'Este elemento del box se indica más de una vez.',
    fr: 'Cet élément du box est indiqué plus d’une fois.',
    pt: 'Este elemento do box é indicado mais de uma vez.',
  },
  'bundle.boxItemUnknown': {
    en: 'There is no such item in your box.',
    it: 'Questo elemento non è nel tuo box.',
    es: 'Este elemento no está en tu box.',
    fr: 'Cet élément n’est pas dans votre box.',
    pt: 'Este elemento não está no seu box.',
  },
  'bundle.boxItemNotReady': {
    en: 'The content of this box item is not ready.',
    it: 'Il contenuto di questo elemento del box non è pronto.',
    es: 'El contenido de este elemento del box no está listo.',
    fr: 'Le contenu de cet élément du box n’est pas prêt.',
    pt: 'O conteúdo deste elemento do box não está pronto.',
  },
  'bundle.boxItemExpired': {
    en: 'This box item has expired.',
    it: 'Questo elemento del box è scaduto.',
    es: 'Este elemento del box ha caducado.',
    fr: 'Cet élément du box a expiré.',
    pt: 'Este elemento do box expirou.',
  },
  'bundle.boxItemsUnknown': {
    en: 'These items are not in your box: {{boxIds}}.',
    it: 'Questi elementi non sono nel tuo box: {{boxIds}}.',
    es: 'Estos elementos no están en tu box: {{boxIds}}.',
    fr: 'Ces éléments ne sont pas dans votre box : {{boxIds}}.',
    pt: 'Estes elementos não estão no seu box: {{boxIds}}.',
  },
  'bundle.boxItemsNotReady': {
    en: 'These box items are not ready, or have expired: {{boxIds}}.',
    it: 'Questi elementi del box non sono pronti o sono scaduti: {{boxIds}}.',
    es: 'Estos elementos del box no están listos o han caducado: {{boxIds}}.',
    fr: 'Ces éléments du box ne sont pas prêts ou ont expiré : {{boxIds}}.',
    pt: 'Estes elementos do box não estão prontos ou expiraram: {{boxIds}}.',
  },
} as const satisfies Messages;
