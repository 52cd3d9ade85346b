// What is selected, filtered or open stands in the URL.
import { useSearchParams } from "wouter";

/** Reads and changes the query of the address; nothing and empty are left out. Changes replace unless `push`. */
export function useAddress() {
  const [params, setParams] = useSearchParams();
  const set = (changes: Record<string, string | number | undefined>, push = false) =>
    setParams(
      (was) => {
        const next = new URLSearchParams(was);
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined || value === "") next.delete(name);
          else next.set(name, String(value));
        }
        return next;
      },
      { replace: !push },
    );
  return { get: (name: string) => params.get(name) ?? undefined, set };
}
