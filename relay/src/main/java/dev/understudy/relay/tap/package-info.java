/**
 * What a relay tells of a connection, and to whom: the contract between relay loops and whoever copies.
 *
 * <pre>
 *   relay (TapGuard) ── epoch? ─▶ TapFactory
 *          │ open, join               │ one per connection
 *          └── connected, data, end, closed ─▶ Tap
 * </pre>
 *
 * <p>All calls come from the connection's relay loop and must not wait.
 */
@NullMarked
package dev.understudy.relay.tap;

import org.jspecify.annotations.NullMarked;
