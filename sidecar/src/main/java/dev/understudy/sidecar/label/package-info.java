/**
 * Which exchanges fail: what is known of how one ended, and the operator's rules for it.
 *
 * <pre>
 * lane.Judge ─▶ ExchangeOutcome ─▶ LabelRule ─▶ Why ─▶ suspect.Suspects
 *      └─▶ ReplyFacts ─▶ ReplyCondition ┘
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.label;

import org.jspecify.annotations.NullMarked;
