export { DOOR_SWITCHES } from './switches.ts'
