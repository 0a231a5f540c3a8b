import type { Messages } from './message.js';

/** Publishing on demand. */
export const vodMessages: Messages = {
  'vod.contentNotReady': {
    en: 'This content is not ready yet, so it cannot be published.',
    it: 'Questo contenuto non è ancora pronto e non può essere pubblicato.',
    es: 'Este contenido aún no está listo y no se puede publicar.',
    fr: 'Ce contenu n’est pas encore prêt et ne peut pas être publié.',
    pt: 'Este conteúdo ainda não está pronto e não pode ser publicado.',
  },
  'vod.licenseNotOffered': {
    en: 'Publishing for money or in a bundle is not offered: choose FREE or CREATIVE_COMMONS.',
    it: 'La pubblicazione a pagamento o in un pacchetto non è disponibile: scegli FREE o CREATIVE_COMMONS.',
    es: 'La publicación de pago o en un paquete no está disponible: elige FREE o CREATIVE_COMMONS.',
    fr: 'La publication payante ou dans un bouquet n’est pas proposée : choisissez FREE ou CREATIVE_COMMONS.',
    pt: 'A publicação paga ou em um pacote não está disponível: escolha FREE ou CREATIVE_COMMONS.',
  },
  'vod.onlyWithLicense': {
    en: 'This may only be given with the license type {{licenseType}}.',
    it: 'È ammesso solo con il tipo di licenza {{licenseType}}.',
    es: 'Solo se admite con el tipo de licencia {{licenseType}}.',
    fr: 'Ceci n’est admis qu’avec le type de licence {{licenseType}}.',
    pt: 'Só é admitido com o tipo de licença {{licenseType}}.',
  },
};
