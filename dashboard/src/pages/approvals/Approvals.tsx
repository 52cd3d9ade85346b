import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function Approvals() {
  return (
    <>
      <PageHeader title="Approvals" />
      <Empty title="Nothing here yet." />
    </>
  );
}
