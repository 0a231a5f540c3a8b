export { parameterSetsOf, readAvcConfiguration, type AvcDescription } from './avcConfiguration.js';
