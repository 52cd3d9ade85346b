import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useChangePassword, useSession, useSignIn } from "../../api/session";
import { Button } from "../../parts/Button";
import { Failing } from "../../parts/Failing";
import { Input } from "../../parts/Field";
import { Loading } from "../../parts/Loading";
import styles from "../sign-in/SignIn.module.css";

/** `/welcome#token`: signs in with what stands after `#`, then offers to choose a password. */
export default function Welcome() {
  const [, go] = useLocation();
  const session = useSession();
  const signIn = useSignIn();
  const { mutate } = signIn;
  useEffect(() => {
    const token = location.hash.slice(1);
    if (!token) return;
    // The token works once; it has no business in the history.
    history.replaceState(null, "", location.pathname);
    mutate({ token });
  }, [mutate]);

  return (
    <main className={styles.page}>
      <div className={styles.form}>
        <img src="/icon.svg" alt="" width="32" height="32" />
        <h1>Welcome to Agentwright</h1>
        {signIn.isPending && <Loading lines={2} label="Signing in" />}
        {signIn.isError && <Failing error={signIn.error} />}
        {session.data?.signed_in ? (
          <ChoosePassword name={session.data.person.name} done={() => go("/", { replace: true })} />
        ) : (
          !signIn.isPending && (
            <>
              <p>Open the link that was printed or sent to you; it works once. Whoever has a password can sign in with it.</p>
              <Button onClick={() => go("/", { replace: true })}>Sign in</Button>
            </>
          )
        )}
      </div>
    </main>
  );
}

function ChoosePassword({ name, done }: { name: string; done: () => void }) {
  const [password, setPassword] = useState("");
  const change = useChangePassword();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ password }, { onSuccess: done });
      }}
    >
      <p>
        You are signed in as <strong>{name}</strong>. Choose a password to come back with; the link does not work again.
      </p>
      <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
      <Input
        label="Password"
        type="password"
        autoComplete="new-password"
        minLength={8}
        required
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        problem={change.error?.message}
        hint="At least 8 characters; a few words are good."
      />
      <Button look="primary" type="submit" busy={change.isPending}>
        Keep this password
      </Button>
      <Button look="quiet" onClick={done}>
        Not now
      </Button>
    </form>
  );
}
