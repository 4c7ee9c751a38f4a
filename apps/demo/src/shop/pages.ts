import { type Article, isNews, showBlocks } from './article.ts'
import { html, type Markup } from './html.ts'
import type { Page } from './page.ts'
import { PRODUCTS, shelf } from './product.ts'
import { slot } from './slot.ts'

/** Every page under `/demo` by path. Together they have every layout. */
export function pagesOf(articles: readonly Article[]): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>([
    ['/demo', home],
    ['/demo/outdoor', outdoor],
    ['/demo/product', product],
    ['/demo/cart', cart],
    ['/demo/stories', stories],
    ['/demo/stories/next', nextStory],
    ['/demo/film', film],
    ['/demo/magazine', magazine(articles.filter((article) => !isNews(article)))],
    ['/demo/gazette', gazette(articles.filter(isNews))],
  ])
  for (const article of articles) pages.set(pathOf(article), articlePage(article))
  return pages
}

const pathOf = (article: Article) =>
  `/demo/${isNews(article) ? 'gazette' : 'magazine'}/${article.slug}`

const home: Page = {
  title: 'Welcome',
  site: 'shop',
  body: html`${slot('home-hero')}
    <h1>New this week</h1>
    ${shelf(PRODUCTS.slice(0, 4))} ${slot('home-pair')}
    <h2>People also like</h2>
    ${shelf(PRODUCTS.slice(4))}`,
}

const outdoor: Page = {
  title: 'Outdoor',
  site: 'shop',
  body: html`<h1>Outdoor</h1>
    <p class="lead">Shoes, towels and bicycles for the last warm days.</p>
    ${shelf([PRODUCTS[0]!, PRODUCTS[7]!, PRODUCTS[6]!, PRODUCTS[3]!])} ${slot('category-grid')}
    ${shelf([PRODUCTS[1]!, PRODUCTS[5]!, PRODUCTS[4]!, PRODUCTS[2]!])}`,
}

const product: Page = {
  title: 'Trail shoe Fjord',
  site: 'shop',
  body: html`<div class="columns">
    <article>
      <img
        class="large"
        src="/demo/pictures/shoe.svg"
        alt="A trail shoe"
        width="240"
        height="200"
      />
      <h1>Trail shoe Fjord</h1>
      <p class="price">129 €</p>
      <p>
        A light shoe for wet ground: the sole grips on roots and rock, the upper dries overnight,
        and the heel is soft enough for the way to work.
      </p>
      <p><a class="button" href="/demo/cart">Put into the cart</a></p>
      <h2>What people say</h2>
      <p>“Three autumns in the Harz, and still dry inside.” Ines</p>
      <p>“Runs half a size small. Otherwise the best I have had.” Tom</p>
    </article>
    <aside>${slot('product-rail')}</aside>
  </div>`,
}

const cart: Page = {
  title: 'Cart',
  site: 'shop',
  body: html`<h1>Your cart</h1>
    <table>
      <tr>
        <td>Trail shoe Fjord</td>
        <td>1</td>
        <td>129 €</td>
      </tr>
      <tr>
        <td>House blend, 500 g</td>
        <td>2</td>
        <td>28 €</td>
      </tr>
      <tr>
        <th>Sum</th>
        <td></td>
        <th>157 €</th>
      </tr>
    </table>
    <p><a class="button" href="/demo">Continue shopping</a></p>
    ${slot('cart-popup')}`,
}

const stories: Page = {
  title: 'Stories',
  site: 'shop',
  body: html`<h1>Stories</h1>
    <p class="lead">Pictures from people who went outside.</p>
    <div class="story"><img src="/demo/pictures/wave.svg" alt="The sea" /></div>
    <p><a class="button" href="/demo/stories/next">Next story</a></p>`,
}

const nextStory: Page = {
  title: 'Stories',
  site: 'shop',
  body: html`<h1>Between two stories</h1>
    <p class="lead">An ad may lie here over the whole page, until it is closed.</p>
    <div class="story"><img src="/demo/pictures/leaf.svg" alt="A leaf" /></div>
    <p><a class="button" href="/demo/stories">Back to the first</a></p>
    ${slot('story-break')}`,
}

const film: Page = {
  title: 'A film',
  site: 'magazine',
  body: html`<h1>The sea in October</h1>
    <p class="lead">
      A film begins with an ad, as VAST: the page asks for it, plays it, and tells each step.
    </p>
    <div class="film" data-film="film-start">
      <img src="/demo/pictures/wave.svg" alt="The sea" />
      <button type="button">Play</button>
    </div>
    <ol class="steps" aria-label="What the player told" aria-live="polite"></ol>
    <p>
      The player is a page of code, <code>/demo/film.js</code>. Yours takes the same address:
      <code>/vast/film-start</code>.
    </p>
    <script defer src="/demo/film.js"></script>`,
}

const magazine = (articles: readonly Article[]): Page => ({
  title: 'Read',
  site: 'magazine',
  body: html`${slot('home-wide')}
    <h1>This month</h1>
    ${teasers(articles.slice(0, 4))} ${slot('magazine-feed')} ${teasers(articles.slice(4))}`,
})

const gazette = (articles: readonly Article[]): Page => ({
  title: 'Today',
  site: 'gazette',
  body: html`${slot('front-top')}
    <h1>Today in the harbour</h1>
    ${teasers(articles)} ${slot('news-feed', 2)}`,
})

const teasers = (articles: readonly Article[]): Markup =>
  html`<ul class="teasers">
    ${articles.map(
      (article) =>
        html`<li>
          <a href="${pathOf(article)}">
            <small>${article.theme}</small><b>${article.title}</b><span>${article.lead}</span>
          </a>
        </li>`,
    )}
  </ul>`

const BEFORE_AD = 3

function articlePage(article: Article): Page {
  const { title, theme, lead } = article
  const head = html`<small class="theme">${theme}</small>
    <h1>${title}</h1>
    <p class="lead">${lead}</p>`
  if (!isNews(article)) {
    const text = showBlocks(article, BEFORE_AD, slot('magazine-feed'))
    return { title, site: 'magazine', body: html`<article class="text">${head}${text}</article>` }
  }
  const text = showBlocks(article, 0, html``)
  return {
    title,
    site: 'gazette',
    body: html`<div class="columns">
        <article class="text">${head}${text}</article>
        <aside>${slot('article-side')}</aside>
      </div>
      ${slot('article-bar')}`,
  }
}

/** Landing pages of the demo's ads, whose real addresses do not exist. */
export const landing = (to: string): Page => ({
  title: 'An ad was clicked',
  site: 'shop',
  body: html`<h1>You have clicked on an ad</h1>
    <p class="lead">It would have led here:</p>
    <p><code>${to}</code></p>
    <p>
      The advertiser is made up, the click is not: it is counted, and charged if it was paid for.
    </p>
    <p>
      <a class="button" href="/">See it in the console</a>
      <a class="button" href="/demo">Back to the shop</a>
    </p>`,
})

export const missing: Page = {
  title: 'Not here',
  site: 'shop',
  body: html`<h1>There is nothing here</h1>
    <p><a class="button" href="/demo">To the shop</a></p>`,
}
