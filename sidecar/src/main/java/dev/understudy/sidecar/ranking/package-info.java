/**
 * Whom the control port names for what goes wrong: methods, leaks and circles of locks in one ranking, and by which
 * rules an exchange fails.
 *
 * <pre>
 * agents ─▶ SuspectsView ─▶ suspect.Suspects
 *                └─▶ LeaksView, LockCycles ─▶ OneRanking
 * operator ─▶ LabelsControl ─▶ label.Labels
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.ranking;

import org.jspecify.annotations.NullMarked;
