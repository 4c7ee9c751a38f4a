export { LEARNING_SWITCH } from './switches.ts'
