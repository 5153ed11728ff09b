/**
 * What came of it, as read from the control ports and from the upstreams' own statistics, and whether the invariants
 * held.
 *
 * <pre>
 *  ControlPort · Database · Cache ─▶ Findings ─▶ Check… ─▶ ReportText | ReportJson
 *  ControlPort ─▶ Investigation ─▶ Defect ──────────────────────▲
 * </pre>
 */
@NullMarked
package dev.understudy.example.demo.report;

import org.jspecify.annotations.NullMarked;
