import type { Messages } from '../platform/i18n.js';

/** Playing live events. */
export const livePlaybackMessages: Messages = {
  'playback.live.before': {
    en: 'This event starts on {{date}} at {{time}}.',
    it: 'Questo evento inizia il {{date}} alle {{time}}.',
    es: 'Este evento empieza el {{date}} a las {{time}}.',
    fr: 'Cet événement commence le {{date}} à {{time}}.',
    pt: 'Este evento começa em {{date}} às {{time}}.',
  },
  'playback.live.paid': {
    en: 'You have paid for this event.',
    it: 'Hai pagato per questo evento.',
    es: 'Has pagado por este evento.',
    fr: 'Vous avez payé pour cet événement.',
    pt: 'Você pagou por este evento.',
  },
  'playback.live.paidAddress': {
    en: 'This event must be paid for. Play it with the address that its play request returns.',
    it: 'Questo evento è a pagamento. Riproducilo con l’indirizzo restituito dalla sua richiesta di riproduzione.',
    es: 'Este evento es de pago. Reprodúcelo con la dirección que devuelve su solicitud de reproducción.',
    fr: 'Cet événement est payant. Lisez-le avec l’adresse que renvoie sa requête de lecture.',
    pt: 'Este evento é pago. Reproduza-o com o endereço que o pedido de reprodução retorna.',
  },
  'playback.live.silent': {
    en: 'This event was to start on {{date}} at {{time}}. Nothing is being broadcast at the moment; please try again shortly.',
    it: 'L’inizio di questo evento era previsto il {{date}} alle {{time}}. Al momento non c’è alcuna trasmissione: riprova tra poco.',
    es: 'El inicio de este evento estaba previsto para el {{date}} a las {{time}}. En este momento no se está emitiendo nada: inténtalo de nuevo en breve.',
    fr: 'Le début de cet événement était prévu le {{date}} à {{time}}. Rien n’est diffusé pour le moment : réessayez dans un instant.',
    pt: 'O início deste evento estava previsto para {{date}} às {{time}}. Nada está sendo transmitido no momento: tente novamente em instantes.',
  },
  'playback.live.starting': {
    en: 'The broadcast starts in a moment.',
    it: 'La trasmissione inizia tra un istante.',
    es: 'La emisión empieza en un momento.',
    fr: 'La diffusion commence dans un instant.',
    pt: 'A transmissão começa em um instante.',
  },
  'playback.live.over': {
    en: 'This event is over.',
    it: 'Questo evento è terminato.',
    es: 'Este evento ha terminado.',
    fr: 'Cet événement est terminé.',
    pt: 'Este evento terminou.',
  },
  'playback.live.overAndRecorded': {
    en: 'This event is over. Its recording has been published.',
    it: 'Questo evento è terminato. La registrazione è stata pubblicata.',
    es: 'Este evento ha terminado. Su grabación se ha publicado.',
    fr: 'Cet événement est terminé. Son enregistrement a été publié.',
    pt: 'Este evento terminou. A gravação foi publicada.',
  },
  'playback.live.notPublished': {
    en: 'Nothing is being published to this channel. Start your encoder and try again.',
    it: 'Su questo canale non viene pubblicato nulla. Avvia il codificatore e riprova.',
    es: 'No se está publicando nada en este canal. Inicia tu codificador e inténtalo de nuevo.',
    fr: 'Rien n’est publié sur cette chaîne. Démarrez votre encodeur et réessayez.',
    pt: 'Nada está sendo publicado neste canal. Inicie o codificador e tente novamente.',
  },
  'playback.live.streamNotPublished': {
    en: 'Nothing is being published to this stream. Start your encoder and try again.',
    it: 'Su questo flusso non viene pubblicato nulla. Avvia il codificatore e riprova.',
    es: 'No se está publicando nada en este flujo. Inicia tu codificador e inténtalo de nuevo.',
    fr: 'Rien n’est publié sur ce flux. Démarrez votre encodeur et réessayez.',
    pt: 'Nada está sendo publicado neste fluxo. Inicie o codificador e tente novamente.',
  },
};
