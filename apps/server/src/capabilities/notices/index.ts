export { notifyInterested, notifyRecipient, type NotifyDeps } from './operations.ts'
export { noticeProblems } from './problems.ts'
