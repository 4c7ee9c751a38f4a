import { useMay } from '../../api/me.ts'
import { Things } from '../../things/things.tsx'
import { useUserHelp } from './user-help.tsx'
import { userThing } from './user-thing.tsx'

/** All users, and what an operator can do for them. */
export function Users() {
  const canHelp = useMay()('users:write')
  const help = useUserHelp()
  return (
    <>
      <Things of={userThing} {...(canHelp && { actions: help.itemsFor })} />
      {help.dialog}
    </>
  )
}
