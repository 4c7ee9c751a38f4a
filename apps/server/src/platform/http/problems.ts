import type { ProblemKind } from '../problem.ts'

export const httpProblems = {
  invalidRequest: {
    code: 'INVALID_REQUEST',
    status: 400,
    title: 'The request is not valid',
  },
  unauthenticated: {
    code: 'UNAUTHENTICATED',
    status: 401,
    title: 'Sign in or send an API key',
  },
  forbidden: {
    code: 'FORBIDDEN',
    status: 403,
    title: 'Your role or key does not allow this',
  },
  routeNotFound: {
    code: 'ROUTE_NOT_FOUND',
    status: 404,
    title: 'There is no such route',
  },
  versionMismatch: {
    code: 'VERSION_MISMATCH',
    status: 412,
    title: 'The row has changed since you read it',
  },
  keyReused: {
    code: 'IDEMPOTENCY_KEY_REUSED',
    status: 409,
    title: 'That Idempotency-Key came with another request before',
  },
  tooManyRequests: {
    code: 'TOO_MANY_REQUESTS',
    status: 429,
    title: 'Too many requests',
  },
  requestRefused: {
    code: 'REQUEST_REFUSED',
    status: 400,
    title: 'The server cannot take this request',
  },
  unavailable: {
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    title: 'The service cannot answer right now',
  },
  overloaded: {
    code: 'OVERLOADED',
    status: 503,
    title: 'Too much is going on right now',
  },
  internalError: {
    code: 'INTERNAL_ERROR',
    status: 500,
    title: 'Something failed on our side',
  },
} satisfies Record<string, ProblemKind>
