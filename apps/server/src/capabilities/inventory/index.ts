export { placementProblems, siteProblems } from './problems.ts'
