/** The migration this code needs; `/readyz` compares, a test holds it to the last file of `scripts/migrations`. */
export const schemaHead = '0020-sandbox-refunded';
