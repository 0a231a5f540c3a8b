import { runOnService } from './onService.js';
import { reverse } from './reversePayments.js';

// What is done, in reversePayments.ts, loads nothing of what opens a context.
await runOnService(import.meta, reverse);
