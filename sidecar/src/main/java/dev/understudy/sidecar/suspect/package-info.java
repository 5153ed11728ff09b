/**
 * Which methods are to blame for exchanges that fail: statistical debugging of what the agent observed.
 *
 * <pre>
 * Judge ─▶ ExchangeOutcome ─▶ LabelRule ┐
 *                                       ├▶ Suspects (joined by debug span or place) ─▶ Run ─▶ Tallies ─▶ Score ─▶ Ranking
 * agent ─▶ ObservedBatch ───────────────┘
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.suspect;

import org.jspecify.annotations.NullMarked;
