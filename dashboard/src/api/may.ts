// Why somebody cannot do something, in words for the button that does it.
import { ROLES, useSession, type RoleName } from "./session";

const WHO: Record<RoleName, string> = {
  viewer: "Sign in to do this.",
  runner: "Runners and above can do this.",
  approver: "Approvers and above can do this.",
  editor: "Editors and admins can do this.",
  admin: "Only admins can do this.",
};

/** Nothing where whoever is signed in may do what a role may. Spread it on a button: `{...useOnly("editor")}`. */
export function useOnly(role: RoleName): { disabled?: true; title?: string } {
  const session = useSession().data;
  const may = session?.signed_in === true && ROLES.indexOf(session.person.role) >= ROLES.indexOf(role);
  return may ? {} : { disabled: true, title: WHO[role] };
}
