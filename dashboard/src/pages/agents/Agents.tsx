import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function Agents() {
  return (
    <>
      <PageHeader title="Agents and cohorts" />
      <Empty title="Nothing here yet." />
    </>
  );
}
