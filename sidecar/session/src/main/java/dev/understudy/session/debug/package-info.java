/**
 * A session's walk: world, programs, redirects, snapshot, copy, agent, tee; and back.
 *
 * <pre>
 *   clients ─▶ sidecar ─▶ production ─▶ aggregator ─▶ upstreams      this machine's network, redirected
 *                 └─ tee ─▶ copy ─────────▶ ┘ recorded replies       the copy's world
 * </pre>
 */
@NullMarked
package dev.understudy.session.debug;

import org.jspecify.annotations.NullMarked;
