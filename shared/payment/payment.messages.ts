import type { Messages } from '../platform/i18n.js';

/** Payment errors: `docs/contract.md#choices-payments`. */
export const paymentMessages = {
  'payment.notDone': {
    en: 'The payment is not done yet.',
    it: 'Il pagamento non è ancora stato effettuato.',
    es: 'El pago aún no se ha realizado.',
    fr: 'Le paiement n’est pas encore effectué.',
    pt: 'O pagamento ainda não foi efetuado.',
  },
  'payment.rejected': {
    en: 'The payment was rejected. Nothing was charged; you may start again.',
    it: 'Il pagamento è stato rifiutato. Non è stato addebitato nulla: puoi ricominciare.',
    es: 'El pago ha sido rechazado. No se ha cobrado nada; puedes empezar de nuevo.',
    fr: 'Le paiement a été refusé. Rien n’a été débité ; vous pouvez recommencer.',
    pt: 'O pagamento foi recusado. Nada foi cobrado; pode começar de novo.',
  },
  'payment.expired': {
    en: 'The payment was not made in time. Please start again.',
    it: 'Il pagamento non è stato effettuato in tempo. Ricomincia da capo.',
    es: 'El pago no se realizó a tiempo. Empieza de nuevo.',
    fr: 'Le paiement n’a pas été effectué à temps. Veuillez recommencer.',
    pt: 'O pagamento não foi efetuado a tempo. Comece de novo.',
  },
  'payment.failed': {
    en: 'What was paid is not what was asked for. Nothing was activated, and the money will be sent back.',
    it: 'L’importo pagato non è quello richiesto. Non è stato attivato nulla e il denaro sarà restituito.',
    es: 'Lo pagado no es lo que se pedía. No se ha activado nada y el dinero será devuelto.',
    fr: 'Le montant payé n’est pas celui demandé. Rien n’a été activé et l’argent sera remboursé.',
    pt: 'O valor pago não é o pedido. Nada foi ativado e o dinheiro será devolvido.',
  },
  'payment.reversed': {
    en: 'This payment was sent back, and what it paid for has ended.',
    it: 'Questo pagamento è stato restituito e ciò che era stato acquistato è terminato.',
    es: 'Este pago ha sido devuelto y lo que se pagó con él ha terminado.',
    fr: 'Ce paiement a été remboursé et ce qu’il avait payé a pris fin.',
    pt: 'Este pagamento foi devolvido e o que foi pago com ele terminou.',
  },
  'payment.providerAway': {
    en: 'The payment service cannot be reached at the moment. Please try again soon.',
    it: 'Il servizio di pagamento non è raggiungibile al momento. Riprova tra poco.',
    es: 'El servicio de pago no está disponible en este momento. Inténtalo de nuevo en breve.',
    fr: 'Le service de paiement est injoignable pour le moment. Réessayez bientôt.',
    pt: 'O serviço de pagamento não está acessível neste momento. Tente de novo em breve.',
  },
  'payment.none': {
    en: 'This service takes no payments: nothing can be sold or bought here.',
    it: 'Questo servizio non accetta pagamenti: qui non si può vendere né comprare nulla.',
    es: 'Este servicio no acepta pagos: aquí no se puede vender ni comprar nada.',
    fr: 'Ce service n’accepte pas de paiements : rien ne peut y être vendu ou acheté.',
    pt: 'Este serviço não aceita pagamentos: nada pode ser vendido ou comprado aqui.',
  },
  'payment.refused': {
    en: 'The payment service does not take this payment.',
    it: 'Il servizio di pagamento non accetta questo pagamento.',
    es: 'El servicio de pago no acepta este pago.',
    fr: 'Le service de paiement n’accepte pas ce paiement.',
    pt: 'O serviço de pagamento não aceita este pagamento.',
  },
  'payment.host': {
    en: 'Buyers may not be sent back to this host.',
    it: 'Gli acquirenti non possono essere rimandati a questo host.',
    es: 'No se puede devolver a los compradores a este servidor.',
    fr: 'Les acheteurs ne peuvent pas être renvoyés vers cet hôte.',
    pt: 'Os compradores não podem ser reenviados para este servidor.',
  },
  'payment.eventRefused': {
    en: 'This does not come from the payment service.',
    it: 'Questo messaggio non proviene dal servizio di pagamento.',
    es: 'Esto no procede del servicio de pago.',
    fr: 'Ceci ne vient pas du service de paiement.',
    pt: 'Isto não vem do serviço de pagamento.',
  },
  'payment.viewOver': {
    en: 'The time that was paid for is over.',
    it: 'Il tempo pagato è terminato.',
    es: 'El tiempo pagado ha terminado.',
    fr: 'La durée payée est écoulée.',
    pt: 'O tempo pago terminou.',
  },
} as const satisfies Messages;
