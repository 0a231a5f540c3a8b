import type { Messages } from '../platform/i18n.js';

/** Stream paths, and encoders that an external streaming server asks about. */
export const streamingMessages: Messages = {
  'streaming.pathTaken': {
    en: 'The stream path {{streamPath}} is already taken. Please choose another one.',
    it: 'Il percorso di trasmissione {{streamPath}} è già in uso. Scegline un altro.',
    es: 'La ruta de transmisión {{streamPath}} ya está ocupada. Elige otra.',
    fr: 'Le chemin de diffusion {{streamPath}} est déjà pris. Choisissez-en un autre.',
    pt: 'O caminho de transmissão {{streamPath}} já está ocupado. Escolha outro.',
  },
  'streaming.refused': {
    en: 'The encoder or the viewer is not allowed to do this.',
    it: 'L’encoder o lo spettatore non è autorizzato.',
    es: 'El codificador o el espectador no está autorizado.',
    fr: 'L’encodeur ou le spectateur n’y est pas autorisé.',
    pt: 'O codificador ou o espectador não está autorizado.',
  },
  'streaming.refused.WRONG_LOGIN': {
    en: 'Check user code and live password.',
    it: 'Controlla il codice utente e la password per le dirette.',
    es: 'Comprueba el código de usuario y la contraseña de directo.',
    fr: 'Vérifiez le code utilisateur et le mot de passe du direct.',
    pt: 'Verifique o código de utilizador e a palavra-passe do direto.',
  },
  'streaming.refused.NO_LIVE_PASSWORD': {
    en: 'Your account has no live password. Set one in your profile, and enter it in the encoder.',
    it: 'Il tuo account non ha una password per le dirette. Impostane una nel profilo e inseriscila nell’encoder.',
    es: 'Tu cuenta no tiene contraseña de directo. Defínela en tu perfil e introdúcela en el codificador.',
    fr: 'Votre compte n’a pas de mot de passe du direct. Définissez-en un dans votre profil et saisissez-le dans l’encodeur.',
    pt: 'A sua conta não tem palavra-passe do direto. Defina uma no perfil e introduza-a no codificador.',
  },
  'streaming.refused.USER_DISABLED': {
    en: 'The account is disabled or not activated.',
    it: 'L’account è disattivato o non ancora attivato.',
    es: 'La cuenta está desactivada o no se ha activado.',
    fr: 'Le compte est désactivé ou n’est pas encore activé.',
    pt: 'A conta está desativada ou ainda não foi ativada.',
  },
  'streaming.refused.STREAMING_HOURS_USED_UP': {
    en: 'The streaming hours of this month are used up.',
    it: 'Le ore di trasmissione di questo mese sono esaurite.',
    es: 'Las horas de emisión de este mes se han agotado.',
    fr: 'Les heures de diffusion de ce mois sont épuisées.',
    pt: 'As horas de transmissão deste mês estão esgotadas.',
  },
  'streaming.refused.CAST_CHANNEL_PATH': {
    en: 'This is the path of a cast channel, which plays its programs. Publish to a cast stream.',
    it: 'Questo è il percorso di un canale cast, che trasmette i suoi programmi. Pubblica su uno stream cast.',
    es: 'Esta es la ruta de un canal de emisión, que reproduce sus programas. Publica en un stream de emisión.',
    fr: 'C’est le chemin d’une chaîne cast, qui diffuse ses programmes. Publiez vers un flux cast.',
    pt: 'Este é o caminho de um canal cast, que transmite os seus programas. Publique num stream cast.',
  },
  'streaming.refused.ALREADY_PUBLISHED': {
    en: 'Another encoder is publishing this stream. Stop it first.',
    it: 'Un altro encoder sta già trasmettendo questo stream. Fermalo prima.',
    es: 'Otro codificador ya está emitiendo este stream. Detenlo primero.',
    fr: 'Un autre encodeur diffuse déjà ce flux. Arrêtez-le d’abord.',
    pt: 'Outro codificador já está a transmitir este stream. Pare-o primeiro.',
  },
  'streaming.refused.UNSUPPORTED_CODEC': {
    en: 'The codec is not supported ({{codec}}). Send H.264 video, with AAC or MP3 audio.',
    it: 'Il codec non è supportato ({{codec}}). Invia video H.264, con audio AAC o MP3.',
    es: 'El códec no es compatible ({{codec}}). Envía vídeo H.264, con audio AAC o MP3.',
    fr: 'Le codec n’est pas pris en charge ({{codec}}). Envoyez de la vidéo H.264, avec de l’audio AAC ou MP3.',
    pt: 'O codec não é suportado ({{codec}}). Envie vídeo H.264, com áudio AAC ou MP3.',
  },
  'streaming.refused.SERVER_FULL': {
    en: 'All places of this server are taken.',
    it: 'Tutti i posti di questo server sono occupati.',
    es: 'Todas las plazas de este servidor están ocupadas.',
    fr: 'Toutes les places de ce serveur sont occupées.',
    pt: 'Todos os lugares deste servidor estão ocupados.',
  },
};
