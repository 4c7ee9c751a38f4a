import type { ProblemKind } from '../../platform/problem.ts'

export const webhookProblems = {
  endpointNotFound: {
    code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    status: 404,
    title: 'There is no such webhook endpoint',
  },
  deliveryNotFound: {
    code: 'WEBHOOK_DELIVERY_NOT_FOUND',
    status: 404,
    title: 'There is no such webhook delivery',
    remedy: 'It may be older than WEBHOOK_RETENTION_DAYS.',
  },
  urlRefused: {
    code: 'WEBHOOK_URL_REFUSED',
    status: 400,
    title: 'The webhook address contains a user name or password',
    remedy: 'Leave them out. We sign every call; verify the signature instead.',
  },
  tooManyEndpoints: {
    code: 'WEBHOOK_ENDPOINT_LIMIT',
    status: 409,
    title: 'The limit of webhook endpoints is reached',
    remedy: 'Delete an unused one.',
  },
} satisfies Record<string, ProblemKind>
