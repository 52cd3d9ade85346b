import { Empty } from "../../parts/Empty";
import { PageHeader } from "../../parts/PageHeader";

export default function Learning() {
  return (
    <>
      <PageHeader title="Learning" />
      <Empty title="Nothing here yet." />
    </>
  );
}
