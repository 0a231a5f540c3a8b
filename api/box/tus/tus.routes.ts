import Joi from 'joi';
import { id } from '../../http/fields.js';
import { defineRoute, type Route } from '../../http/route.js';
import { serveTus } from './serveTus.js';
import { tusPath } from './tusHeaders.js';

interface UploadParams {
  readonly uploadId: string;
}

const uploadParams = Joi.object<UploadParams, true>({ uploadId: id().required() });
const shared = { response: null, isLimited: true } as const;
const ofUpload = { ...shared, path: `${tusPath}/:uploadId`, params: uploadParams } as const;

const version = { 'Tus-Resumable': 'The version of the protocol: 1.0.0.' };
const checksum = {
  'Upload-Checksum': 'Algorithm and digest of the body in Base64: `sha256 47DEQpj8HBSa+...`. Optional.',
};
const length = { 'Upload-Length': 'Bytes of the whole file.' };
const deferred = { 'Upload-Defer-Length': '1: the bytes of the whole file are not known yet.' };
const metadata = { 'Upload-Metadata': 'Pairs of a key and a value in Base64, with a comma between them.' };
const offset = { 'Upload-Offset': 'Bytes that have arrived: where the client goes on.' };
const expires = { 'Upload-Expires': 'An upload that nobody continues is removed then.' };
const boxId = { 'Box-Id': 'The box item. Only where the upload is whole.' };

/** Uploads that resume, by tus 1.0: `docs/contract.md#choices-tus`. */
export const tusRoutes: readonly Route[] = [
  defineRoute<Record<string, never>, Record<string, never>, unknown>({
    ...shared,
    method: 'post',
    reads: 'stream',
    hasProgress: true,
    path: tusPath,
    status: 201,
    headers: {
      request: { ...version, ...length, ...deferred, ...metadata, ...checksum },
      response: { ...version, Location: 'The address of the upload.', ...offset, ...expires, ...boxId },
    },
    operationId: 'createResumableUpload',
    summary: 'Begin an upload that can be resumed',
    description:
      'tus 1.0. `Upload-Metadata` has the fields of the form of `POST /api/box`, and `filename`, or `name`, from which a missing `title` is made. Quotas are checked and reserved; with `Upload-Defer-Length`, storage is reserved as the bytes arrive. `Location` is the address of the upload; with the content type `application/offset+octet-stream`, the body is the beginning of the file.',
    errors: [409, 412, 413, 415, 460, 501],
    handle: (request) => serveTus(request, 'POST'),
  }),
  defineRoute<UploadParams, Record<string, never>, unknown>({
    ...ofUpload,
    method: 'head',
    status: 200,
    headers: {
      request: version,
      response: { ...version, ...offset, ...length, ...deferred, ...metadata, ...expires, ...boxId },
    },
    operationId: 'getResumableUpload',
    summary: 'Get how much of an upload has arrived',
    description:
      'In `Upload-Offset`: from there on the file is sent. Another request that sends this file is ended. `Box-Id` is the box item, once the upload is whole.',
    errors: [409, 412, 413],
    handle: (request) => serveTus(request, 'HEAD'),
  }),
  defineRoute<UploadParams, Record<string, never>, unknown>({
    ...ofUpload,
    method: 'patch',
    reads: 'stream',
    status: 204,
    headers: {
      request: { ...version, 'Upload-Offset': 'Where the body begins in the file.', ...length, ...checksum },
      response: { ...version, ...offset, ...expires, ...boxId },
    },
    operationId: 'continueResumableUpload',
    summary: 'Send the next bytes of an upload',
    description:
      'From `Upload-Offset` on, with the content type `application/offset+octet-stream`. `Upload-Checksum` is checked before anything is kept. The response to the last bytes has the header `Box-Id`. `Upload-Length`, once, says the length of an upload that was begun with `Upload-Defer-Length`.',
    errors: [409, 412, 413, 415, 460],
    handle: (request) => serveTus(request, 'PATCH'),
  }),
  defineRoute<UploadParams, Record<string, never>, unknown>({
    ...ofUpload,
    method: 'delete',
    status: 204,
    headers: { request: version, response: version },
    operationId: 'terminateResumableUpload',
    summary: 'Remove an upload',
    description: 'What has arrived is removed. A box item that it has become stays.',
    errors: [409, 412],
    handle: (request) => serveTus(request, 'DELETE'),
  }),
];
