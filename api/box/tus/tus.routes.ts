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

const version = { 'Tus-Resumable': 'Version of the protocol: 1.0.0.' };
const checksum = {
  'Upload-Checksum': 'Algorithm and digest of the body in Base64: `sha256 47DEQpj8HBSa+...`. Optional.',
};
const length = { 'Upload-Length': 'Size of the file in bytes.' };
const deferred = { 'Upload-Defer-Length': '1: the size of the file is not known yet.' };
const metadata = { 'Upload-Metadata': 'Comma-separated pairs of a key and a Base64 value.' };
const offset = { 'Upload-Offset': 'Received bytes: the offset from which the client continues.' };
const expires = { 'Upload-Expires': 'Time at which the upload is removed if it is not continued.' };
const boxId = { 'Box-Id': 'Id of the box item. Present when the upload is complete.' };

/** Resumable uploads with tus 1.0: `docs/contract.md#choices-tus`. */
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
      response: { ...version, Location: 'URL of the upload.', ...offset, ...expires, ...boxId },
    },
    operationId: 'createResumableUpload',
    summary: 'Start a resumable upload',
    description:
      'tus 1.0. `Upload-Metadata` has the fields of the form of `POST /api/box`, and `filename` or `name`, which replaces a missing `title`. Quotas are checked and reserved; with `Upload-Defer-Length`, storage is reserved as the bytes arrive. `Location` is the URL of the upload. With the content type `application/offset+octet-stream`, the body is the first part of the file.',
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
    summary: 'Get the offset of an upload',
    description:
      'The client continues from `Upload-Offset`. Another request that is sending this file is ended. `Box-Id` is present when the upload is complete.',
    errors: [409, 412, 413],
    handle: (request) => serveTus(request, 'HEAD'),
  }),
  defineRoute<UploadParams, Record<string, never>, unknown>({
    ...ofUpload,
    method: 'patch',
    reads: 'stream',
    status: 204,
    headers: {
      request: { ...version, 'Upload-Offset': 'Offset of the body in the file.', ...length, ...checksum },
      response: { ...version, ...offset, ...expires, ...boxId },
    },
    operationId: 'continueResumableUpload',
    summary: 'Send the next bytes of an upload',
    description:
      'The body starts at `Upload-Offset` and has the content type `application/offset+octet-stream`. `Upload-Checksum` is checked before bytes are stored. The response to the last bytes has the header `Box-Id`. An upload that was started with `Upload-Defer-Length` sends `Upload-Length` in one of these requests.',
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
    description: 'Removes the received bytes. A box item created from the upload is not removed.',
    errors: [409, 412],
    handle: (request) => serveTus(request, 'DELETE'),
  }),
];
