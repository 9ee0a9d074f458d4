// The image's health check: exit status 0 if Knell serves and can write, 1 if not. Node is there, curl is not. It asks where the
// variables say that Knell listens.
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';

const { KNELL_HTTP = '127.0.0.1:8000', KNELL_HTTP_TLS_CERT } = process.env;
const colon = KNELL_HTTP.lastIndexOf(':');
const host = KNELL_HTTP.slice(0, colon).replace(/^\[|\]$/g, '');
const onEveryAddress = ['', '0.0.0.0', '::'].includes(host);

const request = KNELL_HTTP_TLS_CERT ? requestTls : requestPlain;
request({
  host: onEveryAddress ? 'localhost' : host,
  port: KNELL_HTTP.slice(colon + 1),
  path: '/api/v3/status/',
  // The certificate is for the name that clients use, not for this address.
  rejectUnauthorized: false,
})
  .on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('error', () => process.exit(1))
  .end();
