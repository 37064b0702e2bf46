/** A typed client of Driftlog, the record and replay service for board games. */
export * from "./client.js";
export type { components, operations, paths } from "./contract.js";
export * from "./problems.js";
