/**
 * How soon the agent's controller cuts the budget, whether it keeps the debug window open, and what of the information
 * it leaves on the table.
 *
 * <pre>
 * Load (shape, share of capacity) ──▶ Drive ──▶ sidecar ──▶ production, debug (MillServer, agent)
 *                                                  └──────▶ Trial ──▶ Ran ──▶ Search (the best fixed rate) ──▶ table
 *
 * bursts ──▶ sidecar ──▶ Readings ──────────────┐
 *               └──▶ debug ──▶ ring ──▶ Decision ┴──▶ Reactions (how soon the budget is cut) ──▶ table
 * </pre>
 */
@NullMarked
package dev.understudy.it.bench.control;

import org.jspecify.annotations.NullMarked;
