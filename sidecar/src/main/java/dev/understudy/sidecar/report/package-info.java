/**
 * Makes a report of a session: what {@code /v1/report} says, judged and told as a page, as JSON and as JUnit's XML.
 *
 * <pre>
 *  Session (as read) ─▶ Report (judged) ─▶ HtmlReport, JunitReport
 *                          └▶ FailRule
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.report;

import org.jspecify.annotations.NullMarked;
