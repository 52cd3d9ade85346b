import { lazy, Suspense, type ReactNode } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useSession } from "./api/session";
import { Empty } from "./parts/Empty";
import { Failing } from "./parts/Failing";
import { Loading } from "./parts/Loading";
import { SignIn } from "./pages/sign-in/SignIn";
import { Fence } from "./shell/Fence";
import { Shell } from "./shell/Shell";

const Welcome = lazy(() => import("./pages/welcome/Welcome"));
const Home = lazy(() => import("./pages/home/Home"));
const Runs = lazy(() => import("./pages/runs/Runs"));
const Compare = lazy(() => import("./pages/compare/Compare"));
const RunDetail = lazy(() => import("./pages/run/RunDetail"));
const Approvals = lazy(() => import("./pages/approvals/Approvals"));
const Routes = lazy(() => import("./pages/routes/Routes"));
const Learning = lazy(() => import("./pages/learning/Learning"));
const Agents = lazy(() => import("./pages/agents/Agents"));
const Tools = lazy(() => import("./pages/tools/Tools"));
const Intents = lazy(() => import("./pages/intents/Intents"));
const Settings = lazy(() => import("./pages/settings/Settings"));

export function App() {
  return (
    <Suspense fallback={<Loading />}>
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

/** A page gets everything below its own path, and reads the rest of the path with `useRoute`. */
function Pages() {
  return (
    <Switch>
      <Route path="/" component={Home} />
      <Route path="/chat/:session" component={Home} />
      <Route path="/runs" component={Runs} />
      <Route path="/runs/compare" component={Compare} />
      <Route path="/runs/:run" component={RunDetail} />
      <Route path="/approvals/*?" component={Approvals} />
      <Route path="/routes/*?" component={Routes} />
      <Route path="/learning/*?" component={Learning} />
      <Route path="/agents/*?" component={Agents} />
      <Route path="/cohorts/*?" component={Agents} />
      <Route path="/skills/*?" component={Agents} />
      <Route path="/tools/*?" component={Tools} />
      <Route path="/intents/*?" component={Intents} />
      <Route path="/settings/*?" component={Settings} />
      <Route path="/home">
        <Redirect to="/" />
      </Route>
      <Route>
        <Empty title="There is no such page.">Choose one from the list, or press g h to go home.</Empty>
      </Route>
    </Switch>
  );
}

function SignedIn({ children }: { children: ReactNode }) {
  const session = useSession();
  if (session.isPending) return null;
  if (session.isError) return <Failing error={session.error} again={() => void session.refetch()} />;
  return session.data.signed_in ? children : <SignIn />;
}
