export { proposeWith } from './operations.ts'
