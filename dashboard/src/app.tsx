import { lazy, Suspense, type ReactNode } from "react";
import { Route, Switch } from "wouter";
import { useSession } from "./api/session";
import { Empty } from "./parts/Empty";
import { Failing } from "./parts/Failing";
import { Loading } from "./parts/Loading";
import { PAGES } from "./pages";
import { SignIn } from "./pages/sign-in/SignIn";
import { Fence } from "./shell/Fence";
import { Opening } from "./shell/Opening";
import { Shell } from "./shell/Shell";

const Welcome = lazy(() => import("./pages/welcome/Welcome"));

export function App() {
  return (
    <Suspense fallback={<Opening />}>
      <Switch>
        <Route path="/welcome" component={Welcome} />
        <Route>
          <SignedIn>
            <Shell>
              <Fence>
                <Suspense fallback={<Loading />}>
                  <Pages />
                </Suspense>
              </Fence>
            </Shell>
          </SignedIn>
        </Route>
      </Switch>
    </Suspense>
  );
}

function Pages() {
  return (
    <Switch>
      {PAGES.map(({ path, Page }) => (
        <Route key={path} path={path}>
          <Page />
        </Route>
      ))}
      <Route>
        <Empty title="There is no such page.">Choose one from the list, or press g h to go home.</Empty>
      </Route>
    </Switch>
  );
}

function SignedIn({ children }: { children: ReactNode }) {
  const session = useSession();
  if (session.isPending) return <Opening />;
  if (session.isError) return <Failing error={session.error} again={() => void session.refetch()} />;
  return session.data.signed_in ? children : <SignIn />;
}
