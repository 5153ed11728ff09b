/**
 * What the sidecar's control port answers, and its meters; reads counters only.
 *
 * <pre>
 *   GET  /v1/status    StatusView       POST /v1/agent            AgentReports ──▶ DebugClock (a sign of life)
 *   GET  /v1/window    WindowModel      GET  /v1/agent            AgentReports
 *   PUT  /v1/listeners/…/recording  RecordControl ──▶ the recording switch
 *   POST /v1/listeners/…/playback   PlaybackControl ──▶ Playback, on a thread of its own
 *   GET  /v1/events    EventWatch ──▶ EventFeed
 *   GET  /v1/verdicts  VerdictsView     POST /otlp/v1/traces|…    OtlpForward ──▶ the configured receiver
 *   GET  /v1/fidelity  FidelityView     PUT  /v1/listeners/…/tee  TeeControl ──▶ the tee switch
 *   GET  /metrics      Meters           GET  /v1/openapi.json     openapi.yaml, beside this file
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.control;

import org.jspecify.annotations.NullMarked;
