export { taxonomyFormats } from './classify/formats.ts'
