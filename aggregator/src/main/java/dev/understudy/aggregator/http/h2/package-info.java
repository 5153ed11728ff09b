/**
 * HTTP/2 and gRPC: the same forms and replies as HTTP/1.1's, one exchange per stream.
 *
 * <pre>
 *   production's bytes ─▶ VersionRecorder ─┬▶ HttpRecorder (HTTP/1.1) ── 101 to h2c ──┐
 *                                          └▶ Http2Recorder ◀─────────────────────────┘
 *                            Http2Reader (of relay) ─▶ Http2Exchange (GrpcPace) ─▶ journal (HttpAnswer)
 *
 *   debug's bytes ─▶ VersionDoor ─┬▶ HttpReplayHandler (HTTP/1.1) ── h2c, where production's server takes it ──┐
 *                                 └▶ Netty's HTTP/2 codec ─▶ StreamReplayHandler ◀─────────────────────────────┘
 *                                                            └▶ GrpcCall (gRPC)
 * </pre>
 */
@NullMarked
package dev.understudy.aggregator.http.h2;

import org.jspecify.annotations.NullMarked;
