/**
 * What a ranking rests on, as a file: written while a sidecar runs, ranked again afterwards without any server.
 *
 * <pre>
 *   Suspects ──▶ ObservationRecorder ──▶ file ──▶ ObservationReader ──▶ Suspects
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.suspect.journal;

import org.jspecify.annotations.NullMarked;
