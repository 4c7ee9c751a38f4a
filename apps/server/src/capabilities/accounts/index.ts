export { accountProblems } from './problems.ts'
