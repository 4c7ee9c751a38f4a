import { useMay, useMe } from '../../api/me.ts'
import { useSearchParams } from '../../search-params.ts'
import { Things, WITHOUT_LIST } from '../../things/things.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { accountThing } from './account-thing.tsx'
import { ConnectedSignIns } from './connected-sign-ins.tsx'
import { OwnFactorsPage } from './factors/own-factors.tsx'
import { IdentityProviders } from './identity-providers/providers.tsx'
import { OwnCountry } from './own-country.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { OwnEmail } from './own-email.tsx'
import { Password } from './password.tsx'
import { Recipients } from './recipients.tsx'
import { Users } from './users.tsx'

/** The user's own account: sessions and password. For operators also all users. */
export function AccountPage() {
  const me = useMe()
  const may = useMay()
  const [params, setParams] = useSearchParams()
  const tabs = [
    { name: 'sessions', label: 'Sessions', content: <OwnSessions /> },
    { name: 'password', label: 'Password and e-mail', content: <PasswordAndEmail /> },
    { name: 'two-step', label: 'Two-step sign-in', content: <OwnFactorsPage /> },
    { name: 'connected', label: 'Connected sign-ins', content: <ConnectedSignIns /> },
    { name: 'country', label: 'Country', content: <OwnCountry /> },
    ...(may('users:read') ? [{ name: 'users', label: 'Users', content: <Users /> }] : []),
    ...(may('reports:read')
      ? [{ name: 'recipients', label: 'Alert recipients', content: <Recipients /> }]
      : []),
    ...(may('accounts:write')
      ? [{ name: 'accounts', label: 'Accounts', content: <Things of={accountThing} /> }]
      : []),
    ...(may('users:write')
      ? [{ name: 'company', label: 'Company sign-in', content: <IdentityProviders /> }]
      : []),
  ]
  return (
    <Page
      title="Account"
      about={me.user && `${me.user.displayName}, ${me.user.role} of ${me.user.accountName}`}
    >
      <Tabs
        label="Account"
        tabs={tabs}
        open={params['tab'] ?? 'sessions'}
        onOpen={(tab) => setParams({ ...WITHOUT_LIST, tab })}
      />
    </Page>
  )
}

const PasswordAndEmail = () => (
  <div className="flex flex-col gap-4">
    <Password />
    <OwnEmail />
  </div>
)
