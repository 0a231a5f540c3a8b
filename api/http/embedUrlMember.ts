import Joi from 'joi';

/** Response member with the address of the player page. */
export const embedUrlMember = Joi.string()
  .required()
  .description('Address of the player page, for a browser or a frame')
  .example('https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11');
