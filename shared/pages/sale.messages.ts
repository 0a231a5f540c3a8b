import type { Messages } from '../platform/i18n.js';

/** The offers on the player pages. */
export const saleMessages: Messages = {
  'sale.view': {
    en: 'One payment is for one viewing: from the first play, you can watch for {{period}}.',
    it: 'Un pagamento vale per una visione: dalla prima riproduzione puoi guardare per {{period}}.',
    es: 'Un pago vale para un visionado: desde la primera reproducción puedes ver el vídeo durante {{period}}.',
    fr: 'Un paiement vaut pour un visionnage : à partir de la première lecture, vous pouvez regarder pendant {{period}}.',
    pt: 'Um pagamento vale para uma visualização: a partir da primeira reprodução, pode ver o vídeo durante {{period}}.',
    de: 'Eine Zahlung gilt für einen Aufruf: Ab der ersten Wiedergabe können Sie {{period}} lang zusehen.',
  },
  'sale.event': {
    en: 'You pay once and can watch in this browser until the event ends. A recording is not included.',
    it: 'Paghi una volta e puoi guardare in questo browser fino alla fine dell’evento. La registrazione non è inclusa.',
    es: 'Pagas una vez y puedes ver el evento en este navegador hasta que termine. La grabación no está incluida.',
    fr: 'Vous payez une fois et pouvez regarder dans ce navigateur jusqu’à la fin de l’événement. L’enregistrement n’est pas compris.',
    pt: 'Paga uma vez e pode ver o evento neste navegador até terminar. A gravação não está incluída.',
    de: 'Sie bezahlen einmal und können in diesem Browser bis zum Ende des Events zusehen. Eine Aufzeichnung ist nicht inbegriffen.',
  },
  'sale.eventOnAir': {
    en: 'Watching this event requires a payment, which is possible when the event is on air.',
    it: 'Per guardare questo evento è richiesto un pagamento, possibile non appena andrà in onda.',
    es: 'Para ver este evento es necesario un pago, que se podrá hacer en cuanto esté en directo.',
    fr: 'Le visionnage de cet événement est payant ; le paiement sera possible dès qu’il sera à l’antenne.',
    pt: 'Para ver este evento é necessário um pagamento, possível assim que estiver no ar.',
    de: 'Dieses Event ist kostenpflichtig. Sie können bezahlen, sobald die Übertragung läuft.',
  },
  'sale.subscribe': {
    en: 'Go to the subscription',
    it: 'Vai all’abbonamento',
    es: 'Ir a la suscripción',
    fr: 'Accéder à l’abonnement',
    pt: 'Ir para a assinatura',
    de: 'Zum Abonnement',
  },
};
