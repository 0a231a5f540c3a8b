import { describeUploadKills } from '../support/uploadKills.js';

describeUploadKills(2);
