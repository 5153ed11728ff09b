/**
 * Calls of gRPC, which are requests of HTTP/2 in messages: conversations, whose reply begins before their request ends,
 * are recorded with their pace and replayed at the debug JVM's.
 *
 * <pre>
 *   recorded:  request ─▶ GrpcMessages ─▶ GrpcPace ─▶ journal (HttpAnswer with its HttpPace)
 *                                             └▶ StepWriter ─▶ file, if it is large
 *   replayed:  request ─▶ GrpcMessages ─▶ GrpcCall ─▶ GrpcCall.Out        what can't be: GrpcStatus
 *                             SaidAhead ─▶ GrpcConversation ◀─ Steps: HeldSteps, FiledSteps
 * </pre>
 */
@NullMarked
package dev.understudy.aggregator.http.grpc;

import org.jspecify.annotations.NullMarked;
