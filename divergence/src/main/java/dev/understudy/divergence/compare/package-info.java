/**
 * Says how the replies that production and debug gave to the same request differ, and whether it matters.
 *
 * <pre>
 *  framer ─▶ HttpReplyCapture ─▶ HttpReply ┐
 *                                          ├▶ HttpComparison ─▶ Verdict (Kind, Differences)
 *  framer ─▶ HttpReplyCapture ─▶ HttpReply ┘        │ ▲
 *                                          learns   ▼ │ knows
 *                                              IdentityMap
 * </pre>
 */
@NullMarked
package dev.understudy.divergence.compare;

import org.jspecify.annotations.NullMarked;
