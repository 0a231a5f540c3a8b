import type { Messages } from '../platform/i18n.js';

/** Publishing videos on demand. */
export const vodMessages: Messages = {
  'vod.contentNotReady': {
    en: 'This content is not ready yet, so it cannot be published.',
    it: 'Questo contenuto non è ancora pronto e non può essere pubblicato.',
    es: 'Este contenido aún no está listo y no se puede publicar.',
    fr: 'Ce contenu n’est pas encore prêt et ne peut pas être publié.',
    pt: 'Este conteúdo ainda não está pronto e não pode ser publicado.',
  },
  'vod.itemEnded': {
    en: 'The license of this content has ended, so it cannot be published.',
    it: 'La licenza di questo contenuto è terminata e non può essere pubblicato.',
    es: 'La licencia de este contenido ha terminado y no se puede publicar.',
    fr: 'La licence de ce contenu est arrivée à son terme : il ne peut pas être publié.',
    pt: 'A licença deste conteúdo terminou e ele não pode ser publicado.',
  },
  'vod.priceBelowLicense': {
    en: 'Of each view {{sum}} goes to the licensor, after the {{percent}} percent of the platform: the price must hold both.',
    it: 'Di ogni visione {{sum}} spetta al licenziante, dopo il {{percent}} per cento della piattaforma: il prezzo deve coprire entrambi.',
    es: 'De cada visionado {{sum}} corresponde al licenciante, tras el {{percent}} por ciento de la plataforma: el precio debe cubrir ambos.',
    fr: 'Pour chaque vue, {{sum}} revient au concédant, après les {{percent}} pour cent de la plateforme : le prix doit couvrir les deux.',
    pt: 'De cada visualização, {{sum}} cabe ao licenciante, depois dos {{percent}} por cento da plataforma: o preço deve cobrir ambos.',
  },
  'vod.bundleNotFound': {
    en: 'You have no such bundle.',
    it: 'Non hai un pacchetto con questo identificativo.',
    es: 'No tienes ningún paquete con este identificador.',
    fr: 'Vous n’avez pas de bouquet portant cet identifiant.',
    pt: 'Você não tem um pacote com este identificador.',
  },
  'vod.alreadyInBundle': {
    en: 'The bundle holds this content already.',
    it: 'Il pacchetto contiene già questo contenuto.',
    es: 'El paquete ya contiene este contenido.',
    fr: 'Le bouquet contient déjà ce contenu.',
    pt: 'O pacote já contém este conteúdo.',
  },
  'vod.needsNoPayment': {
    en: 'This video is free: it needs no payment.',
    it: 'Questo video è gratuito: non serve alcun pagamento.',
    es: 'Este vídeo es gratuito: no requiere ningún pago.',
    fr: 'Cette vidéo est gratuite : aucun paiement n’est nécessaire.',
    pt: 'Este vídeo é gratuito: não é necessário pagamento.',
  },
  'vod.soldInBundle': {
    en: 'This video is not sold by the view: subscribe to its bundle.',
    it: 'Questo video non si vende a visione: abbonati al suo pacchetto.',
    es: 'Este vídeo no se vende por visionado: suscríbete a su paquete.',
    fr: 'Cette vidéo n’est pas vendue à la vue : abonnez-vous à son bouquet.',
    pt: 'Este vídeo não é vendido por visualização: assine o pacote dele.',
  },
  'vod.ownItem': {
    en: 'This video is your own: it needs no payment.',
    it: 'Questo video è tuo: non serve alcun pagamento.',
    es: 'Este vídeo es tuyo: no requiere ningún pago.',
    fr: 'Cette vidéo est à vous : aucun paiement n’est nécessaire.',
    pt: 'Este vídeo é seu: não é necessário pagamento.',
  },
  'vod.alreadyPaid': {
    en: 'You have paid for this video already: play it.',
    it: 'Hai già pagato questo video: puoi guardarlo.',
    es: 'Ya has pagado este vídeo: puedes verlo.',
    fr: 'Vous avez déjà payé cette vidéo : vous pouvez la regarder.',
    pt: 'Você já pagou por este vídeo: pode assisti-lo.',
  },
  'vod.notPlayableNow': {
    en: 'This video cannot be played at the moment, so it cannot be paid for. Please try again later.',
    it: 'Al momento questo video non può essere riprodotto, quindi non può essere pagato. Riprova più tardi.',
    es: 'En este momento el vídeo no se puede reproducir, así que no se puede pagar. Inténtalo más tarde.',
    fr: 'Cette vidéo ne peut pas être lue pour le moment, elle ne peut donc pas être payée. Réessayez plus tard.',
    pt: 'No momento este vídeo não pode ser reproduzido, portanto não pode ser pago. Tente mais tarde.',
  },
  'vod.stillPlayed': {
    en: 'Viewers have paid for this content and may play it until {{until}}: delete it after that.',
    it: 'Alcuni spettatori hanno pagato questo contenuto e possono guardarlo fino al {{until}}: eliminalo dopo.',
    es: 'Hay espectadores que han pagado este contenido y pueden verlo hasta el {{until}}: elimínalo después.',
    fr: 'Des spectateurs ont payé ce contenu et peuvent le lire jusqu’au {{until}} : supprimez-le ensuite.',
    pt: 'Há espectadores que pagaram este conteúdo e podem vê-lo até {{until}}: elimine-o depois.',
  },
  'vod.onlyWithLicense': {
    en: 'This may only be given with the license type {{licenseType}}.',
    it: 'È ammesso solo con il tipo di licenza {{licenseType}}.',
    es: 'Solo se admite con el tipo de licencia {{licenseType}}.',
    fr: 'Ceci n’est admis qu’avec le type de licence {{licenseType}}.',
    pt: 'Só é admitido com o tipo de licença {{licenseType}}.',
  },
};
