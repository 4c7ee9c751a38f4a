export type ApprovalStatus = 'pending' | 'approved' | 'rejected' | 'flagged'
export type ApprovalAction = 'approve' | 'reject' | 'revoke' | 'flag' | 'unflag'

/**
 * | action  | from              | to       |
 * |---------|-------------------|----------|
 * | approve | pending           | approved |
 * | reject  | pending           | rejected |
 * | revoke  | approved, rejected | pending |
 * | flag    | approved          | flagged  |
 * | unflag  | flagged           | approved |
 *
 * New content of the banner returns all its approvals to pending.
 */
const TRANSITIONS: Record<
  ApprovalAction,
  { readonly from: readonly ApprovalStatus[]; readonly to: ApprovalStatus }
> = {
  approve: { from: ['pending'], to: 'approved' },
  reject: { from: ['pending'], to: 'rejected' },
  revoke: { from: ['approved', 'rejected'], to: 'pending' },
  flag: { from: ['approved'], to: 'flagged' },
  unflag: { from: ['flagged'], to: 'approved' },
}

/** The status after the action. Undefined if the action is not possible now. */
export function judgeApproval(
  status: ApprovalStatus,
  action: ApprovalAction,
): ApprovalStatus | undefined {
  const { from, to } = TRANSITIONS[action]
  return from.includes(status) ? to : undefined
}
