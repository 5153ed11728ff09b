/**
 * Which classes' live objects grow in number as requests are served, and where those are made that stay, and used last.
 *
 * <pre>
 * LiveObjects (the JVM's own histogram, after a full collection) ──▶ Growth (the last samples, a test of trend) ──▶ export.Report
 *      ▲ LeakWatch: now and then, on a thread of its own            │ candidates     ▲ UseSite
 *                                                                   ▼                │
 * woven constructor ──▶ bootstrap.allocation ──▶ Survivors (Origin) ◀── AllocationSites ──▶ ConstructorTransformer
 *                                                     │ Sampled               └──────────▶ UseTransformer
 * woven method ───────▶ bootstrap.allocation.Uses ──▶ LastUses (UsePlace)
 * </pre>
 */
@NullMarked
package dev.understudy.agent.leak;

import org.jspecify.annotations.NullMarked;
