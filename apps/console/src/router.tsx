import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { ComponentType } from 'react'
import { PAGES } from './pages.ts'
import { BrokenPage, loadPage } from './shell/not-loaded.tsx'
import { Guarded, Shell } from './shell/shell.tsx'
import { SignInPage } from './shell/sign-in.tsx'
import { EmptyState } from './ui/layout/states.tsx'

const root = createRootRoute({ component: Outlet })

const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignInPage })

const atProvider = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/$provider',
  component: lazyRouteComponent(() => import('./shell/at-provider.tsx'), 'AtProviderPage'),
})

/** Pages that links in mails open. */
const LINK_PAGES = {
  '/forgot-password': 'ForgotPasswordPage',
  '/accept-invitation': 'AcceptInvitationPage',
  '/reset-password': 'ResetPasswordPage',
  '/confirm-email': 'ConfirmEmailPage',
  '/confirm-recipient': 'ConfirmRecipientPage',
} as const

const linkPages = Object.entries(LINK_PAGES).map(([path, name]) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => import('./features/accounts/link-pages.tsx'), name),
  }),
)

const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell })

const pages = PAGES.map(({ path, needs = [], load }) => {
  const Content = lazyRouteComponent(async () => ({
    default: await loadPage(load),
  })) as ComponentType
  return createRoute({
    getParentRoute: () => shell,
    path,
    component: () => (
      <Guarded needs={needs}>
        <Content />
      </Guarded>
    ),
  })
})

export const router = createRouter({
  routeTree: root.addChildren([signIn, atProvider, ...linkPages, shell.addChildren(pages)]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollToTopSelectors: ['#page'],
  defaultErrorComponent: BrokenPage,
  defaultNotFoundComponent: () => (
    <EmptyState
      icon={SearchX}
      title="Page not found"
      text="Check the address, or choose a page from the navigation."
    />
  ),
})
