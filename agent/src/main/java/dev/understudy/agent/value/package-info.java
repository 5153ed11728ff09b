/**
 * Values of the application, looked at without calling any of its code.
 *
 * <pre>
 * object ──▶ Known (what the JDK's own classes hold) ──┐
 *    └─────▶ Fields (of the application's classes) ────┴──▶ Rendering ◀── Secrets (what isn't shown) ◀── orders.RedactOrder
 * </pre>
 *
 * <p>No getter, no {@code toString}, no {@code equals} and no {@code hashCode} of a class that isn't the JDK's is ever
 * called, and none of the JDK's that would call one of those, wait for a lock or compute something for the first time.
 */
@NullMarked
package dev.understudy.agent.value;

import org.jspecify.annotations.NullMarked;
