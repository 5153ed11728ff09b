/**
 * Runs a service and another build of it beside each other in a test suite, and checks that they do the same.
 *
 * <pre>
 *  test ──▶ sidecar ──▶ production ──▶ aggregator ──▶ upstreams
 *              └──────▶ debug ─────────────┘              (recorded replies only)
 * </pre>
 *
 * Nothing of JUnit is needed here; {@link dev.understudy.testing.junit} is the extension.
 */
@NullMarked
package dev.understudy.testing;

import org.jspecify.annotations.NullMarked;
