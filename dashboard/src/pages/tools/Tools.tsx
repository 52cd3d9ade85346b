import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function Tools() {
  return (
    <>
      <PageHeader title="Tools" />
      <Empty title="Nothing here yet." />
    </>
  );
}
