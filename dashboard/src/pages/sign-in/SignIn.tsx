import { useState } from "react";
import { useSignIn } from "../../api/session";
import { Button } from "../../parts/Button";
import { Input } from "../../parts/Field";
import styles from "./SignIn.module.css";

/** Stands in the place of every page while nobody is signed in. */
export function SignIn() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useSignIn();
  return (
    <main className={styles.page}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate({ name, password });
        }}
      >
        <img src="/icon.svg" alt="" width="32" height="32" />
        <h1>Sign in to Agentwright</h1>
        <Input label="Name" name="name" autoComplete="username" autoFocus required value={name} onChange={(event) => setName(event.target.value)} />
        <Input
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          problem={signIn.error?.message}
        />
        <Button look="primary" type="submit" busy={signIn.isPending}>
          Sign in
        </Button>
        <p className={styles.hint}>
          No password yet? Open the link that <code>agentwright serve</code> prints when it starts, or the invitation you were sent.
        </p>
      </form>
    </main>
  );
}
