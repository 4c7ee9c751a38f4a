import type { followPlatforms } from './consent.ts'
import type { openOver } from './over.ts'
import type { Settings } from './settings.ts'
import type { openShop } from './shop.ts'

interface Parts {
  readonly consent: { readonly followPlatforms: typeof followPlatforms }
  readonly over: { readonly openOver: typeof openOver }
  readonly shop: { readonly openShop: typeof openShop }
}

const loading: { [Name in keyof Parts]?: Promise<Parts[Name]> } = {}

/** Loads a script that few pages need from the tag's origin, once. Callers get it in the order of their calls. */
export const loadPart = <Name extends keyof Parts>(
  { origin }: Settings,
  name: Name,
): Promise<Parts[Name]> => (loading[name] ??= import(`${origin}/tag-${name}.js`))
