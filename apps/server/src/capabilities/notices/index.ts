export { notifyInterested, tellRecipient, type NotifyDeps } from './operations.ts'
export { noticeProblems } from './problems.ts'
