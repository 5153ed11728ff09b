/**
 * The documents: what is generated in them, and the rules that all of them keep.
 *
 * <pre>
 *   settings, commands, meters, routes ──▶ Part ──▶ GeneratedParts ──▶ docs/*.md
 *   *.md ──▶ Markdown ──▶ Limits · Links · Sentences · ShownCommands · ShownSettings ──▶ DocumentsTest
 *   examples/monitoring ──▶ Dashboard ──▶ Query ──▶ Scrape of RunningPrograms ──▶ MonitoringTest
 * </pre>
 *
 * <p>{@code docs/generate} writes the generated parts again.
 */
@NullMarked
package dev.understudy.it.docs;

import org.jspecify.annotations.NullMarked;
