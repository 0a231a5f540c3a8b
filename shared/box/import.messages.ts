import type { Messages } from '../platform/i18n.js';

/** Files that are fetched from an address, and addresses that this service does not send requests to. */
export const importMessages = {
  'import.tooMany': {
    en: 'At most {{limit}} files are imported at a time. Wait until one has arrived.',
    it: 'Si importano al massimo {{limit}} file alla volta. Attendi che ne sia arrivato uno.',
    es: 'Se importan como máximo {{limit}} archivos a la vez. Espera a que haya llegado uno.',
    fr: 'Au plus {{limit}} fichiers sont importés à la fois. Attendez que l’un soit arrivé.',
    pt: 'São importados no máximo {{limit}} ficheiros de cada vez. Aguarde que um tenha chegado.',
  },
  'outgoing.scheme': {
    en: 'The address must begin with http:// or https://.',
    it: 'L’indirizzo deve iniziare con http:// o https://.',
    es: 'La dirección debe empezar por http:// o https://.',
    fr: 'L’adresse doit commencer par http:// ou https://.',
    pt: 'O endereço deve começar por http:// ou https://.',
  },
  'outgoing.credentials': {
    en: 'The address must not contain a user name or a password.',
    it: 'L’indirizzo non deve contenere nome utente o password.',
    es: 'La dirección no debe contener usuario ni contraseña.',
    fr: 'L’adresse ne doit contenir ni nom d’utilisateur ni mot de passe.',
    pt: 'O endereço não deve conter nome de utilizador nem palavra-passe.',
  },
  'outgoing.address': {
    en: 'The address does not lead to the public internet.',
    it: 'L’indirizzo non porta alla rete pubblica.',
    es: 'La dirección no lleva a la red pública.',
    fr: 'L’adresse ne mène pas au réseau public.',
    pt: 'O endereço não leva à rede pública.',
  },
  'outgoing.name': {
    en: 'The name of the server is not known.',
    it: 'Il nome del server non è conosciuto.',
    es: 'El nombre del servidor no se conoce.',
    fr: 'Le nom du serveur est inconnu.',
    pt: 'O nome do servidor não é conhecido.',
  },
  'outgoing.redirects': {
    en: 'The address leads on too often.',
    it: 'L’indirizzo rimanda altrove troppe volte.',
    es: 'La dirección redirige demasiadas veces.',
    fr: 'L’adresse renvoie trop souvent ailleurs.',
    pt: 'O endereço redireciona demasiadas vezes.',
  },
  'content.failure.importAddress': {
    en: 'The file could not be imported: its address does not lead to the public internet.',
    it: 'Non è stato possibile importare il file: il suo indirizzo non porta alla rete pubblica.',
    es: 'No se ha podido importar el archivo: su dirección no lleva a la red pública.',
    fr: 'Le fichier n’a pas pu être importé : son adresse ne mène pas au réseau public.',
    pt: 'Não foi possível importar o ficheiro: o seu endereço não leva à rede pública.',
  },
  'content.failure.importRefused': {
    en: 'The file could not be imported: the server did not give it. Check that the address opens without a login.',
    it: 'Non è stato possibile importare il file: il server non lo ha fornito. Verifica che l’indirizzo si apra senza accesso.',
    es: 'No se ha podido importar el archivo: el servidor no lo ha entregado. Comprueba que la dirección se abre sin iniciar sesión.',
    fr: 'Le fichier n’a pas pu être importé : le serveur ne l’a pas fourni. Vérifiez que l’adresse s’ouvre sans connexion.',
    pt: 'Não foi possível importar o ficheiro: o servidor não o forneceu. Verifique se o endereço abre sem sessão iniciada.',
  },
  'content.failure.importNoFile': {
    en: 'The address gives a page or a playlist. Give the address of one video or audio file.',
    it: 'L’indirizzo dà una pagina o una playlist. Indica l’indirizzo di un solo file video o audio.',
    es: 'La dirección da una página o una lista de reproducción. Indica la dirección de un solo archivo de vídeo o audio.',
    fr: 'L’adresse donne une page ou une liste de lecture. Donnez l’adresse d’un seul fichier vidéo ou audio.',
    pt: 'O endereço dá uma página ou uma lista de reprodução. Indique o endereço de um único ficheiro de vídeo ou áudio.',
  },
  'content.failure.importTooLarge': {
    en: 'The file could not be imported: it is larger than the plan, or its free storage, permits.',
    it: 'Non è stato possibile importare il file: è più grande di quanto permesso dal piano o dallo spazio libero.',
    es: 'No se ha podido importar el archivo: es mayor de lo que permite el plan o su espacio libre.',
    fr: 'Le fichier n’a pas pu être importé : il est plus grand que ce que permet la formule ou son espace libre.',
    pt: 'Não foi possível importar o ficheiro: é maior do que o plano, ou o seu espaço livre, permite.',
  },
  'content.failure.importChanged': {
    en: 'The file has changed at its address while it was imported. Import it again.',
    it: 'Il file è cambiato al suo indirizzo durante l’importazione. Importalo di nuovo.',
    es: 'El archivo ha cambiado en su dirección mientras se importaba. Impórtalo de nuevo.',
    fr: 'Le fichier a changé à son adresse pendant l’importation. Importez-le de nouveau.',
    pt: 'O ficheiro mudou no seu endereço durante a importação. Importe-o de novo.',
  },
  'content.failure.importBroken': {
    en: 'The file could not be imported: its server ended or slowed the transfer too often.',
    it: 'Non è stato possibile importare il file: il server ha interrotto o rallentato troppe volte il trasferimento.',
    es: 'No se ha podido importar el archivo: su servidor ha cortado o frenado la transferencia demasiadas veces.',
    fr: 'Le fichier n’a pas pu être importé : son serveur a trop souvent coupé ou ralenti le transfert.',
    pt: 'Não foi possível importar o ficheiro: o servidor cortou ou abrandou a transferência demasiadas vezes.',
  },
} as const satisfies Messages;
