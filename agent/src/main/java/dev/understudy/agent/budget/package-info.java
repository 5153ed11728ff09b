/**
 * Keeps what the probes cost under what the debug window allows.
 *
 * <pre>
 *   sidecar ──SSE──▶ WindowFeed ──▶ Controller (B) ──▶ Governor ──▶ Probes (periods), Gates
 *                     hits ──▶ Rates (f) ──▶ WaterFilling (s) ──┘        │
 *                     Costs (c) ◀──────────────── measured ──────────────┘
 * </pre>
 */
@NullMarked
package dev.understudy.agent.budget;

import org.jspecify.annotations.NullMarked;
