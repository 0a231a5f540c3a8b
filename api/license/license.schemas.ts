import Joi, { type ObjectSchema } from 'joi';
import { monthsInAdvance, type MonthsInAdvance } from '../../shared/license/license.service.js';
import { integer } from '../http/fields.js';
import { paymentBody, type PaymentBody } from '../http/paymentBody.js';

export const licenseParams = Joi.object<{ licenseName: string }>({ licenseName: Joi.string().required() });

export interface SubscriptionBody extends PaymentBody {
  readonly advanceMonthlyPayments: MonthsInAdvance;
}

/** `docs/contract.md#choices-licenses`: 3, 6 and 12 months in advance cost less. */
export const subscriptionBody = paymentBody.keys({
  advanceMonthlyPayments: integer()
    .valid(...monthsInAdvance)
    .default(1)
    .description('Months paid in advance; 3, 6 and 12 months cost 10, 20 and 30 percent less.'),
}) as ObjectSchema<SubscriptionBody>;

const amount = () => Joi.number().integer().min(0);

/** License of `docs/contract.md#fields-license`. */
export const licenseResponse = Joi.object({
  id: amount().required().description('Id of the plan.'),
  name: Joi.string().required(),
  price: Joi.string()
    .pattern(/^\d+,\d{2}$/)
    .required()
    .description('Of a month')
    .example('10,00'),
  dayDuration: amount().required().description('0: unlimited'),
  storage: amount().required().description('Gb'),
  band: amount().required().description('Gb a month'),
  maxVideoSize: amount().required().description('Maximum size of a file, in Gb'),
  maxUploadNumber: amount().required().description('0: unlimited'),
  support: Joi.string().required().description('`COMMUNITY`, `EMAIL` or `PHONE`.'),
  streamingAmount: amount()
    .required()
    .description('Hours that encoders may publish in a calendar month (UTC); 0: unlimited'),
}).meta({ className: 'License' });
