/**
 * How the HTTP replies that production and debug gave to the same request differ.
 *
 * <pre>
 *  framer ─▶ HttpReplyCapture ─▶ HttpReply ┐
 *                                          ├▶ HttpComparison ─▶ Verdict (VerdictKind, Differences)
 *  framer ─▶ HttpReplyCapture ─▶ HttpReply ┘        │ ▲
 *                                          learns   ▼ │ knows
 *                                              IdentityMap
 * </pre>
 */
@NullMarked
package dev.understudy.divergence.compare.http;

import org.jspecify.annotations.NullMarked;
