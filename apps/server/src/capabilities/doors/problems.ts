import type { ProblemKind } from '../../platform/problem.ts'

export const doorProblems = {
  bodyTooLarge: {
    code: 'BODY_TOO_LARGE',
    status: 413,
    title: 'The body is too large',
    remedy: 'Send at most 1 MiB, counted after it is inflated.',
  },
  bodyNotGzip: {
    code: 'BODY_NOT_GZIP',
    status: 400,
    title: 'The body is not gzip',
    remedy: 'Send gzip, or leave out `Content-Encoding`.',
  },
  encodingUnknown: {
    code: 'ENCODING_UNKNOWN',
    status: 415,
    title: 'That encoding of a body is not known here',
    remedy: 'Send the body as it is, or as gzip.',
  },
} satisfies Record<string, ProblemKind>
