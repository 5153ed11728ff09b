/**
 * Where production is, which of its addresses are well, and how one of them is reached.
 *
 * <pre>
 * Address ──▶ TargetPlace ──▶ Target, Target …          control loop: HealthChecks looks names up again, tries addresses
 * (as set)    (looked up)  │ up or down
 *                          ▼
 * accepted client ──▶ Dial: the next one that may be up ──▶ connected channel, or the last failure    relay loop
 * </pre>
 *
 * <p>A relay loop that needs production reads one list and connects; it neither looks names up nor waits for a check.
 */
@NullMarked
package dev.understudy.relay.connect;

import org.jspecify.annotations.NullMarked;
