import Joi from 'joi';
import { settingGroup, variable, type Settings } from '../platform/settingVariables.js';

export interface LicenseConfig {
  /** Name of the plan for users without a paid or assigned plan. */
  readonly defaultPlan: string;
}

declare module '../platform/config.js' {
  interface Config {
    readonly license: LicenseConfig;
  }
}

export const licenseSettings: Settings<{ license: LicenseConfig }> = {
  variables: Joi.object(
    settingGroup('Money', {
      DEFAULT_PLAN: variable.text
        .default('Free')
        .tag('choose')
        .description(
          'plan of users who have not bought a plan ([plans](contract.md#fields-license)). `npm start` sets `Unlimited`',
        ),
    }),
  ),
  configOf: (env) => ({ license: { defaultPlan: env['DEFAULT_PLAN'] } }),
};
