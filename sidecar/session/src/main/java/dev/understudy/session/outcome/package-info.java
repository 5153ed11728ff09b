/**
 * What a session found, and where that goes: a folder, a webhook, a trace.
 *
 * <pre>
 * suspects ──▶ Certainty (may it end?)      SessionFindings ──▶ OutcomeDelivery ──▶ folder · webhook · OutcomeTrace
 * </pre>
 */
@NullMarked
package dev.understudy.session.outcome;

import org.jspecify.annotations.NullMarked;
