/**
 * How a session waits for its copy: the tap keeps the last minutes, and a rule that fires has the copy made.
 *
 * <pre>
 * TapSession ──▶ RuleWatch ──▶ RecordedMinutes (files of the sidecar)
 *                    └──▶ a rule fires ──▶ TapSession.copy ──▶ RecordedMinutes.play ──▶ live traffic ──▶ outcome
 * </pre>
 */
@NullMarked
package dev.understudy.session.mode;

import org.jspecify.annotations.NullMarked;
