/**
 * Commands that ask and steer what is running: the sidecar (status, top, events, tee, record) or the aggregator (match,
 * fault).
 *
 * <pre>
 *   StatusCommand ──┬─▶ ControlClient ──▶ a control port
 *   TopCommand ─────┘        │
 *       └─▶ Terminal         └─▶ StatusScreen ──▶ text
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.command.live;

import org.jspecify.annotations.NullMarked;
