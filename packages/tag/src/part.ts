import type { openOver } from './over.ts'
import type { Settings } from './settings.ts'
import type { openShop } from './shop.ts'

interface Parts {
  readonly over: { readonly openOver: typeof openOver }
  readonly shop: { readonly openShop: typeof openShop }
}

const loading: { [Name in keyof Parts]?: Promise<Parts[Name]> } = {}

/** What few pages need is a script of its own, from where the tag came from. Whoever asks first has it first. */
export const loadPart = <Name extends keyof Parts>(
  { origin }: Settings,
  name: Name,
): Promise<Parts[Name]> => (loading[name] ??= import(`${origin}/tag-${name}.js`))
