/**
 * Finds the smallest request that still fails, by asking a copy of the service again and again.
 *
 * <pre>
 * recording ─▶ RecordedInput ─▶ HttpInput ─▶ Reducer ─▶ Reduction
 *                                 Dimension ┘   │ ▲
 *                           DeltaDebugging ─────┘ │ ReplyCondition
 *                                     CopyCaller ─┘ ReplyFacts
 * </pre>
 *
 * <p>{@link dev.understudy.sidecar.reduce.Dimension} takes an input apart in one way: earlier requests, headers,
 * members of its JSON. {@link dev.understudy.sidecar.reduce.DeltaDebugging} finds which of those parts a failure needs.
 */
@NullMarked
package dev.understudy.sidecar.reduce;

import org.jspecify.annotations.NullMarked;
