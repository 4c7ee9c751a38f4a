import type { Motif } from '../data/picture.ts'
import { html, type Markup } from './html.ts'

interface Product {
  readonly name: string
  readonly by: string
  readonly price: string
  readonly motif: Motif
}

export const PRODUCTS: readonly Product[] = [
  { name: 'Trail shoe Fjord', by: 'Northwind', price: '129 €', motif: 'shoe' },
  { name: 'House blend, 500 g', by: 'Kaffa', price: '14 €', motif: 'cup' },
  { name: 'Reading lamp Orla', by: 'Lumen', price: '59 €', motif: 'lamp' },
  { name: 'Herb box, six pots', by: 'Verde', price: '24 €', motif: 'leaf' },
  { name: 'Headphones Q7', by: 'Auralis', price: '249 €', motif: 'sound' },
  { name: 'Book of the month', by: 'Folio', price: '19 €', motif: 'book' },
  { name: 'City bike Spoke 3', by: 'Pedal', price: '690 €', motif: 'wheel' },
  { name: 'Beach towel Tide', by: 'Tidewater', price: '29 €', motif: 'wave' },
]

export const shelf = (products: readonly Product[]): Markup =>
  html`<ul class="shelf">
    ${products.map(
      ({ name, by, price, motif }) =>
        html`<li>
          <a href="/demo/product">
            <img src="/demo/pictures/${motif}.svg" alt="" width="240" height="200" />
            <b>${name}</b><span>${by}</span><span>${price}</span>
          </a>
        </li>`,
    )}
  </ul>`
