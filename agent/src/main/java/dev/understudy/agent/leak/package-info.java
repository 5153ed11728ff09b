/**
 * Which classes' live objects grow in number as requests are served.
 *
 * <pre>
 *   LiveObjects (the JVM's own histogram, after a full collection) ──▶ Growth (the last samples, a test of trend) ──▶ export.Report
 *        ▲ LeakWatch: now and then, on a thread of its own
 * </pre>
 */
@NullMarked
package dev.understudy.agent.leak;

import org.jspecify.annotations.NullMarked;
