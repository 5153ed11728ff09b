/**
 * Traces as they are read: files of OTLP/JSON, what Jaeger answers, and the spans that are kept of them.
 *
 * <pre>
 *   file, Jaeger ─▶ TraceParser ─▶ OtlpTraces, JaegerTraces ─▶ SpanDraft ─▶ TraceStore ─▶ TracedSpan
 * </pre>
 */
@NullMarked
package dev.understudy.standin.trace;

import org.jspecify.annotations.NullMarked;
