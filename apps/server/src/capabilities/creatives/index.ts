export { bannerProblems } from './problems.ts'
export { requestApprovals } from './store-approvals.ts'
