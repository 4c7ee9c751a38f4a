import type { ProblemKind } from '../../platform/problem.ts'

export const learningProblems = {
  changed: {
    code: 'BID_AGENT_CHANGED',
    status: 409,
    title: 'Another change to the bid agent came first',
    remedy: 'Load the bid agent again and repeat the change.',
  },
  noTarget: {
    code: 'BID_POLICY_NEEDS_TARGET',
    status: 409,
    title: 'The policy `tcpa` needs a target cost per action',
    remedy: 'Set `targetCpaMicros` on a campaign that pays per click and has a daily budget.',
  },
  hasTarget: {
    code: 'BID_POLICY_HAS_TARGET',
    status: 409,
    title: 'The campaign has a target cost per action, which its bids follow',
    remedy: 'Choose `tcpa` or `fixed`, or set `targetCpaMicros` to null first.',
  },
} satisfies Record<string, ProblemKind>
