import { createCaller } from './calls.ts'
import { type Consent, createReader } from './reader.ts'
import { createReporter } from './report.ts'
import { safely } from './safely.ts'
import { loadPart } from './part.ts'
import { readSettings, type Settings } from './settings.ts'
import type { Conversion, Shop } from './shop.ts'
import { openSlot, type Slot, type SlotDeps } from './slot.ts'
import { createWatcher } from './watch.ts'

type Command =
  | readonly ['consent', Consent]
  | readonly ['refresh', slug?: string]
  | readonly ['add', Element]
  | readonly ['conversion', Conversion]

/** `(window.placard ||= []).push(['consent', { storage: true }])`; works before the script has loaded. */
interface Page extends Window {
  placard?: { push(command: Command): void; readonly isRunning?: true }
}

const MARK = 'data-placard'
const SLOTS = `[${MARK}]`

safely(start)()

function start(): void {
  const page = window as Page
  const settings = readSettings(document)
  if (!settings || page.placard?.isRunning) return

  const reader = createReader(settings)
  const deps: SlotDeps = {
    settings,
    reporter: createReporter(settings.origin, reader),
    watcher: createWatcher(),
    caller: createCaller(settings, reader),
  }
  const withShop = shopOf(settings)
  const keepClick = safely(() => {
    // The page has a click id in its address or in its cookie.
    if (/placard_click=/.test(location.search + document.cookie))
      withShop((shop) => shop.keep(reader.describe().consent))
  })
  const slots = followElements(deps)
  const obey = safely(([name, given]: Command) => {
    if (name === 'consent') {
      reader.setConsent(given)
      keepClick()
    } else if (name === 'conversion')
      withShop((shop) => shop.tell(given, reader.describe().consent))
    else if (name === 'refresh') slots.refresh(given)
    else slots.add(given)
  })
  const before: unknown = page.placard
  page.placard = { push: obey, isRunning: true }
  if (Array.isArray(before)) for (const command of before) obey(command as Command)
  void reader.whenAsked.then(keepClick)
  whenLooking(() => slots.begin())
}

/** Loads the script for shops, on a landing page or at the first conversion. */
function shopOf(settings: Settings) {
  let loading: Promise<Shop> | undefined
  return (work: (shop: Shop) => void): void => {
    loading ??= loadPart(settings, 'shop').then(({ openShop }) => openShop(settings.origin))
    loading.then(work, () => {})
  }
}

/** A prerendered page may never be shown, so it requests nothing. */
function whenLooking(work: () => void): void {
  if ((document as { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', safely(work), { once: true })
  } else work()
}

/** Finds every slot of the page, also later ones. Each is filled when it comes near the screen. */
function followElements(deps: SlotDeps) {
  /** Includes removed elements: one that comes back keeps its slot. */
  const slots = new WeakMap<Element, Slot>()
  const added = new Set<Element>()
  let path = location.pathname
  const near = new IntersectionObserver(
    safely((entries: IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue
        near.unobserve(target)
        slots.get(target)?.fill()
      }
    }),
    { rootMargin: `${deps.settings.aheadPixels}px 0px` },
  )
  const add = safely((element: Element) => {
    const slug = element.getAttribute(MARK)
    const known = slots.get(element)
    // A shadow root that we did not create belongs to the page.
    if (!slug || known?.slug === slug || (!known && element.shadowRoot)) return
    slots.set(element, openSlot(deps, element as HTMLElement, slug))
    near.observe(element)
  })
  const refresh = (slug?: string) => {
    for (const element of [...document.querySelectorAll(SLOTS), ...added]) {
      const slot = slots.get(element)
      if (slot && (slug === undefined || slot.slug === slug)) slot.refresh()
    }
  }
  /** After a navigation within a single-page app, slots that remain get new ads. */
  const onNavigation = () => {
    if (path === location.pathname) return
    path = location.pathname
    refresh()
  }
  const follow = safely((changes: MutationRecord[]) => {
    onNavigation()
    for (const { target, addedNodes, attributeName } of changes) {
      if (attributeName) add(target as Element)
      for (const node of addedNodes) if (node instanceof Element) each(node, add)
    }
  })
  return {
    refresh,
    /** For elements inside a shadow root of the page. */
    add(element: Element) {
      added.add(element)
      add(element)
    },
    begin() {
      each(document, add)
      addEventListener('popstate', safely(onNavigation))
      const kinds = { subtree: true, childList: true, attributeFilter: [MARK] }
      new MutationObserver(follow).observe(document, kinds)
    },
  }
}

function each(place: Document | Element, work: (element: Element) => void): void {
  if (place instanceof Element) work(place)
  for (const element of place.querySelectorAll(SLOTS)) work(element)
}
