import type { ReactNode } from "react";
import { useLocation } from "wouter";
import styles from "./Table.module.css";

export type Column<Row> = {
  id: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers stand to the right. */
  number?: boolean;
  /** Left out on phones. */
  wide?: boolean;
  width?: string;
};

type Props<Row> = {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  id: (row: Row) => string;
  /** Where a row leads, by click or `Enter`. */
  to?: (row: Row) => string;
  /** Which row is looked at. */
  selected?: string;
  onSelect?: (row: Row) => void;
};

/** For some hundred rows; longer lists are virtual. */
export function Table<Row>({ label, columns, rows, id, to, selected, onSelect }: Props<Row>) {
  const [, go] = useLocation();
  const open = (row: Row) => (to ? go(to(row)) : onSelect?.(row));
  const opens = Boolean(to ?? onSelect);
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={classes(column)} style={{ width: column.width }}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={id(row)}
              className={opens ? styles.opens : undefined}
              aria-selected={selected === undefined ? undefined : selected === id(row)}
              tabIndex={opens ? 0 : undefined}
              onClick={(event) => !(event.target as Element).closest("a, button, input") && opens && open(row)}
              onKeyDown={(event) => event.key === "Enter" && event.target === event.currentTarget && open(row)}
            >
              {columns.map((column) => (
                <td key={column.id} className={classes(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classes<Row>(column: Column<Row>): string {
  return [column.number ? styles.number : "", column.wide ? styles.wide : ""].join(" ");
}
