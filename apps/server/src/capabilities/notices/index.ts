export { tellInterested, tellRecipient, type TellDeps } from './operations.ts'
export { noticeProblems } from './problems.ts'
