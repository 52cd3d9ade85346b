import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function Settings() {
  return (
    <>
      <PageHeader title="Settings and keys" />
      <Empty title="Nothing here yet." />
    </>
  );
}
