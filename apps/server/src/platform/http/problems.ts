import type { ProblemKind } from '../problem.ts'

export const httpProblems = {
  invalidRequest: {
    code: 'INVALID_REQUEST',
    status: 400,
    title: 'The request is not valid',
    remedy: 'Correct every fault in `faults`; the list is complete.',
  },
  unauthenticated: {
    code: 'UNAUTHENTICATED',
    status: 401,
    title: 'Sign in or send an API key',
    remedy: 'Send `Authorization: Bearer <access token>` or `X-Api-Key: <key>`.',
  },
  forbidden: {
    code: 'FORBIDDEN',
    status: 403,
    title: 'Your role or key does not allow this',
    remedy: 'Ask for the permission that the detail names, or use another key.',
  },
  factorSetUpNeeded: {
    code: 'FACTOR_SET_UP_NEEDED',
    status: 403,
    title: 'Set up a second factor first',
    remedy: 'Add an authenticator app or a passkey; until then nothing else is open to you.',
  },
  sellerWrites: {
    code: 'SELLER_WRITES_FIELD',
    status: 403,
    title: 'Only ad operations may set this',
    remedy: 'Leave the field out, or propose it by changing the row alone.',
  },
  routeNotFound: {
    code: 'ROUTE_NOT_FOUND',
    status: 404,
    title: 'There is no such route',
    remedy: 'Compare method and path with the reference at `/docs`.',
  },
  versionMismatch: {
    code: 'VERSION_MISMATCH',
    status: 412,
    title: 'The row has changed since you read it',
    remedy: 'Read the row again, and send its new `ETag` as `If-Match`.',
  },
  keyReused: {
    code: 'IDEMPOTENCY_KEY_REUSED',
    status: 409,
    title: 'This Idempotency-Key was used for another request',
    remedy: 'Send a new key with a new request.',
  },
  tooManyRequests: {
    code: 'TOO_MANY_REQUESTS',
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait as long as `Retry-After` says.',
  },
  requestRefused: {
    code: 'REQUEST_REFUSED',
    status: 400,
    title: 'The server cannot take this request',
    remedy:
      'The status says why: 413 the body is too large, 414 the address too long, 415 the type is not JSON.',
  },
  unavailable: {
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    title: 'The service cannot answer right now',
    remedy: 'Try again after `Retry-After` seconds, with the same `Idempotency-Key`.',
  },
  overloaded: {
    code: 'OVERLOADED',
    status: 503,
    title: 'The server is overloaded right now',
    remedy: 'Try again after `Retry-After` seconds, or show nothing.',
  },
  internalError: {
    code: 'INTERNAL_ERROR',
    status: 500,
    title: 'Something failed on our side',
    remedy: 'Report the `instance` to the operator, who finds it in the log.',
  },
} satisfies Record<string, ProblemKind>
