import type { ProblemKind } from '../../platform/problem.ts'

export const doorProblems = {
  bodyTooLarge: {
    code: 'BODY_TOO_LARGE',
    status: 413,
    title: 'The body is too large',
    remedy: 'Send at most 1 MiB, measured after decompression.',
  },
  bodyNotGzip: {
    code: 'BODY_NOT_GZIP',
    status: 400,
    title: 'The body is not valid gzip',
    remedy: 'Compress it with gzip, or leave out `Content-Encoding`.',
  },
  encodingUnknown: {
    code: 'ENCODING_UNKNOWN',
    status: 415,
    title: 'The content encoding is not supported',
    remedy: 'Send the body uncompressed or as gzip.',
  },
} satisfies Record<string, ProblemKind>
