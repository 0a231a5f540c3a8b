import type { Messages } from './message.js';

/** Offers on the marketplace, and what their licenses allow. */
export const marketplaceMessages = {
  'marketplace.contentNotReady': {
    en: 'This content is not ready yet, so it cannot be offered.',
    it: 'Questo contenuto non è ancora pronto e non può essere offerto.',
    es: 'Este contenido aún no está listo y no se puede ofrecer.',
    fr: 'Ce contenu n’est pas encore prêt et ne peut pas être proposé.',
    pt: 'Este conteúdo ainda não está pronto e não pode ser oferecido.',
  },
  'marketplace.acquiredNotOfferable': {
    en: 'This content was acquired on the marketplace, so it cannot be offered again.',
    it: 'Questo contenuto è stato acquisito sul marketplace e non può essere offerto di nuovo.',
    es: 'Este contenido se adquirió en el mercado y no se puede volver a ofrecer.',
    fr: 'Ce contenu a été acquis sur la place de marché et ne peut pas être proposé à nouveau.',
    pt: 'Este conteúdo foi adquirido no mercado e não pode ser oferecido de novo.',
  },
  'marketplace.ownOffer': {
    en: 'This is your own offer: you have the content already.',
    it: 'Questa è una tua offerta: hai già il contenuto.',
    es: 'Esta oferta es tuya: ya tienes el contenido.',
    fr: 'Cette offre est la vôtre : vous avez déjà ce contenu.',
    pt: 'Esta oferta é sua: já tem o conteúdo.',
  },
  'marketplace.nothingToPay': {
    en: 'This offer asks for no payment: acquire it.',
    it: 'Questa offerta non richiede un pagamento: acquisiscila.',
    es: 'Esta oferta no pide ningún pago: adquiérela.',
    fr: 'Cette offre ne demande aucun paiement : acquérez-la.',
    pt: 'Esta oferta não pede pagamento: adquira-a.',
  },
  'marketplace.alreadyHeld': {
    en: 'You hold this license already, and it does not end.',
    it: 'Hai già questa licenza, e non ha scadenza.',
    es: 'Ya tienes esta licencia, y no caduca.',
    fr: 'Vous avez déjà cette licence, et elle n’expire pas.',
    pt: 'Já tem esta licença, e ela não termina.',
  },
  'marketplace.durationTogether': {
    en: 'Give the duration and its unit together, or neither.',
    it: 'Indica insieme la durata e la sua unità, oppure nessuna delle due.',
    es: 'Indica la duración y su unidad juntas, o ninguna de las dos.',
    fr: 'Indiquez la durée et son unité ensemble, ou aucune des deux.',
    pt: 'Indique a duração e a sua unidade em conjunto, ou nenhuma delas.',
  },
  'marketplace.percentage': {
    en: 'Give a percentage from 0 to 100 with up to two decimals, like 12,50.',
    it: 'Indica una percentuale da 0 a 100 con al massimo due decimali, come 12,50.',
    es: 'Indica un porcentaje de 0 a 100 con dos decimales como máximo, como 12,50.',
    fr: 'Indiquez un pourcentage de 0 à 100 avec deux décimales au plus, comme 12,50.',
    pt: 'Indique uma percentagem de 0 a 100 com até duas casas decimais, como 12,50.',
  },
  'marketplace.paidViewsOnly': {
    en: 'The license of this content pays its licensor by the view: publish it as PAY_PER_VIEW.',
    it: 'La licenza di questo contenuto remunera il licenziante a visione: pubblicalo come PAY_PER_VIEW.',
    es: 'La licencia de este contenido paga al licenciante por visión: publícalo como PAY_PER_VIEW.',
    fr: 'La licence de ce contenu rémunère son concédant à la vue : publiez-le en PAY_PER_VIEW.',
    pt: 'A licença deste conteúdo paga ao licenciante por visualização: publique-o como PAY_PER_VIEW.',
  },
  'marketplace.notInBundle': {
    en: 'The license of this content pays its licensor by the view, so it cannot be in a bundle.',
    it: 'La licenza di questo contenuto remunera il licenziante a visione: non può stare in un pacchetto.',
    es: 'La licencia de este contenido paga al licenciante por visión: no puede estar en un paquete.',
    fr: 'La licence de ce contenu rémunère son concédant à la vue : il ne peut pas être dans un bouquet.',
    pt: 'A licença deste conteúdo paga ao licenciante por visualização: não pode estar em um pacote.',
  },
  'marketplace.notForMoney': {
    en: 'The license of this content does not allow commercial use.',
    it: 'La licenza di questo contenuto non consente l’uso commerciale.',
    es: 'La licencia de este contenido no permite el uso comercial.',
    fr: 'La licence de ce contenu n’autorise pas l’usage commercial.',
    pt: 'A licença deste conteúdo não permite o uso comercial.',
  },
  'marketplace.sameCreativeCommons': {
    en: 'Publish this content under the Creative Commons license that you hold it under.',
    it: 'Pubblica questo contenuto con la stessa licenza Creative Commons con cui l’hai ottenuto.',
    es: 'Publica este contenido con la misma licencia Creative Commons con la que lo obtuviste.',
    fr: 'Publiez ce contenu sous la licence Creative Commons sous laquelle vous l’avez obtenu.',
    pt: 'Publique este conteúdo com a mesma licença Creative Commons com que o obteve.',
  },
  'marketplace.notCreativeCommons': {
    en: 'The license of this content does not let you publish it under Creative Commons.',
    it: 'La licenza di questo contenuto non ti consente di pubblicarlo con Creative Commons.',
    es: 'La licencia de este contenido no te permite publicarlo con Creative Commons.',
    fr: 'La licence de ce contenu ne vous permet pas de le publier sous Creative Commons.',
    pt: 'A licença deste conteúdo não permite publicá-lo com Creative Commons.',
  },
} as const satisfies Messages;
