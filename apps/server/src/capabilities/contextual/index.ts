export { adProductsBelow } from './classify/ad-products.ts'
export { taxonomyFormats } from './classify/formats.ts'
