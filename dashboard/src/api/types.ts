// Short names for what the server's document defines.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Run = Schemas["Run"];
export type Runs = Schemas["Runs"];
export type RunPage = Schemas["RunPage"];
export type PlanPage = Schemas["PlanPage"];
export type DiffPage = Schemas["DiffPage"];
export type Approval = Schemas["ApprovalPage"];
export type Inbox = Schemas["Inbox"];
export type Decide = Schemas["Decide"];
export type NewRun = Schemas["NewRun"];
export type Rated = Schemas["Rated"];
export type Replayed = Schemas["Replayed"];
export type Schema<Name extends keyof Schemas> = Schemas[Name];
