import type { Messages } from '../platform/i18n.js';

/** The player page of a paid video. */
export const embedPaidMessages: Messages = {
  'embed.paid.pay': {
    en: 'Pay {{price}}',
    it: 'Paga {{price}}',
    es: 'Pagar {{price}}',
    fr: 'Payer {{price}}',
    pt: 'Pagar {{price}}',
    de: '{{price}} bezahlen',
  },
  'embed.paid.preview': {
    en: 'Watch the preview',
    it: 'Guarda l’anteprima',
    es: 'Ver el avance',
    fr: 'Voir l’extrait',
    pt: 'Ver a pré-visualização',
    de: 'Vorschau ansehen',
  },
  'embed.paid.subscribe': {
    en: 'A subscription belongs to an account: sign in on the site or in the app that offers this video.',
    it: 'Un abbonamento appartiene a un account: accedi al sito o all’app che propone questo video.',
    es: 'Una suscripción pertenece a una cuenta: inicia sesión en el sitio o en la aplicación que ofrece este vídeo.',
    fr: 'Un abonnement est lié à un compte : connectez-vous sur le site ou dans l’application qui propose cette vidéo.',
    pt: 'Uma subscrição pertence a uma conta: entre no site ou na aplicação que oferece este vídeo.',
    de: 'Ein Abonnement gehört zu einem Konto: Melden Sie sich auf der Website oder in der App des Anbieters an.',
  },
  'embed.paid.cancelled': {
    en: 'The payment was cancelled and nothing was charged. You can buy here again.',
    it: 'Il pagamento è stato annullato e nulla è stato addebitato. Puoi acquistare di nuovo qui.',
    es: 'El pago se ha cancelado y no se ha cobrado nada. Puedes comprar aquí de nuevo.',
    fr: 'Le paiement a été annulé et rien n’a été débité. Vous pouvez acheter de nouveau ici.',
    pt: 'O pagamento foi cancelado e nada foi cobrado. Pode comprar aqui de novo.',
    de: 'Die Zahlung wurde abgebrochen, und es wurde nichts abgebucht. Sie können hier erneut kaufen.',
  },
  'embed.paid.failed': {
    en: 'The payment could not be started. Check your connection and try again.',
    it: 'Impossibile avviare il pagamento. Controlla la connessione e riprova.',
    es: 'No se pudo iniciar el pago. Comprueba la conexión e inténtalo de nuevo.',
    fr: 'Le paiement n’a pas pu être lancé. Vérifiez votre connexion et réessayez.',
    pt: 'Não foi possível iniciar o pagamento. Verifique a ligação e tente novamente.',
    de: 'Die Zahlung konnte nicht gestartet werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  },
  'embed.paid.blocked': {
    en: 'The browser has blocked the window of the payment page. Allow pop-up windows for this site and try again.',
    it: 'La pagina di pagamento si apre in una finestra propria, che il browser ha bloccato. Consentila per questo sito e riprova.',
    es: 'La página de pago se abre en una ventana propia, y el navegador la ha bloqueado. Permítela para este sitio e inténtalo de nuevo.',
    fr: 'La page de paiement s’ouvre dans une fenêtre à part, que le navigateur a bloquée. Autorisez-la pour ce site et réessayez.',
    pt: 'A página de pagamento abre numa janela própria, e o navegador bloqueou-a. Permita-a para este site e tente novamente.',
    de: 'Die Zahlungsseite öffnet sich in einem eigenen Fenster, das der Browser blockiert hat. Erlauben Sie es für diese Website und versuchen Sie es erneut.',
  },
};
