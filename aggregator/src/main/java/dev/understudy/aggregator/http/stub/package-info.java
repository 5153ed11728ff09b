/**
 * Stubs: replies to HTTP requests that nobody recorded, read from files in WireMock's JSON format.
 *
 * <pre>
 *   StubFolder ─▶ StubReader (Places) ─▶ Stubs ─▶ Stub = RequestPattern + StubReply ◀── StubRequest ◀── http
 *                                                          └─▶ TextPattern, JsonPattern
 * </pre>
 *
 * <p>What the format has and this package can't do is a problem when the files are read, and never left out in silence.
 * Nothing a request can say makes a match take more than time in proportion to the request and the patterns.
 */
@NullMarked
package dev.understudy.aggregator.http.stub;

import org.jspecify.annotations.NullMarked;
