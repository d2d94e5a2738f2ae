import type { BookCheck } from "../../money/charges/index.ts";
import { checkSales } from "./verify.model.ts";
import { accruedBy, soldBy } from "./verify.queries.ts";

/** Compares the commissions of a book that came of sold snapshots with the purchases. */
export const checkPurchases: BookCheck = async (tx, partner_id) => {
  const [sold, accrued] = await Promise.all([soldBy(tx, partner_id), accruedBy(tx, partner_id)]);
  return checkSales(sold, accrued);
};
