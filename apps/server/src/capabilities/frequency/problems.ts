import type { ProblemKind } from '../../platform/problem.ts'

export const capProblems = {
  notFound: {
    code: 'FREQUENCY_CAP_NOT_FOUND',
    status: 404,
    title: 'There is no such frequency cap',
  },
  targetInvalid: {
    code: 'FREQUENCY_CAP_TARGET_INVALID',
    status: 400,
    title: 'A frequency cap needs exactly one target: an ad, a campaign or an advertiser',
    remedy: 'Name exactly one of the three.',
  },
} satisfies Record<string, ProblemKind>
