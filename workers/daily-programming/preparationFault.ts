/** A cut or slate cannot be made; a further attempt would fail in the same way. The message is for operators. */
export class PreparationFault extends Error {
  override readonly name = 'PreparationFault';
}
