/**
 * Connections kept in a file as they came, and what is in such a file.
 *
 * <pre>
 *   client ═══ relay ═══ production
 *                 │ tap
 *               Lane ─▶ RecordedConnection ─▶ blocks ─▶ RecordingWriter ─▶ file ─▶ RecordingReader ─▶ Contents
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.record;

import org.jspecify.annotations.NullMarked;
