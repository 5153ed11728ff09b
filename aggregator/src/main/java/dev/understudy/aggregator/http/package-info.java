/**
 * HTTP/1.1: requests and replies, recorded with their bodies.
 *
 * <pre>
 *   production's bytes ─▶ HttpRecorder ─▶ UpstreamHttpRequest ─▶ HttpForms (the rule) ─▶ journal (HttpAnswer)
 *   debug's bytes ─▶ HttpReplayHandler ─▶ UpstreamHttpRequest ─▶ HttpForms ─▶ journal
 *                          └─▶ HttpProblem (a miss)
 * </pre>
 */
@NullMarked
package dev.understudy.aggregator.http;

import org.jspecify.annotations.NullMarked;
