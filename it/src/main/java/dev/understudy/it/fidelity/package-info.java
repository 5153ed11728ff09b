/**
 * How much of what other people's clients do comes to the same on the debug side, by what these clients saw.
 *
 * <pre>
 *            ┌─ production's side ──▶ production port ┐
 *   Suite ───┤                                        │ aggregator ══▶ server.Server (its Census)
 *            └─ debug side ─────────▶ debug port      ┘
 *   Trial ──▶ both Transcripts ──▶ Comparison ──▶ Outcome ──▶ a row of docs/measurements/fidelity.md
 * </pre>
 *
 * <p>Tools that don't print what they got have a {@code wire.Witness} in front of each port, which keeps the bytes.
 */
@NullMarked
package dev.understudy.it.fidelity;

import org.jspecify.annotations.NullMarked;
