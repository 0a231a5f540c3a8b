/* The reference for a segment under a grant: only `express.static` on the folder with the same file. Settings: PORT, FOLDER. */
import express from 'express';

const { PORT, FOLDER } = process.env;
const app = express();
app.use(express.static(FOLDER ?? ''));
app.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'));
