import { runOnService } from './onService.js';
import { reverse } from './reversePayments.js';

// reversePayments.ts does not import the modules that open a context.
await runOnService(import.meta, reverse);
