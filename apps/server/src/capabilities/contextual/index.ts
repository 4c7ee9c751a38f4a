export { adProductsBelow } from './classify/ad-products.ts'
export { taxonomyFormats } from './classify/formats.ts'
export {
  createProductsOfCategories,
  type ProductsOfCategories,
} from './classify/blocked-products.ts'
