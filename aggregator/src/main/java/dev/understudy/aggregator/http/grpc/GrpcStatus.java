package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpProblem;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Replies that no upstream gave, as gRPC tells failures: a status with a message, in the trailers. */
final class GrpcStatus {
    private static final int UNIMPLEMENTED = 12;
    private static final int UNAVAILABLE = 14;
    private static final int LONGEST_MESSAGE = 2_000;

    private GrpcStatus() {}

    /** Nothing recorded fits. */
    static HttpAnswer miss(String form, String why, List<String> nearest) {
        String like = nearest.isEmpty() ? "" : "; nearest: " + String.join(" | ", nearest);
        return only(UNAVAILABLE, "understudy: no recorded reply to " + form + ": " + why + like);
    }

    /** The service isn't known here, so that a client does without it. */
    static HttpAnswer unimplemented(String why) {
        return only(UNIMPLEMENTED, "understudy: " + why);
    }

    /** An error on purpose, of which the HTTP status is known (gRPC's own table of HTTP statuses). */
    static HttpAnswer fault(Fault.ErrorReply error, Injection injection) {
        int status = switch (error.code()) {
            case "400" -> 13;
            case "401" -> 16;
            case "403" -> 7;
            case "404" -> UNIMPLEMENTED;
            case "429", "502", "503", "504" -> UNAVAILABLE;
            default -> 2;
        };
        HttpAnswer answer = only(status, injection.says(error));
        List<Header> headers = new ArrayList<>(answer.head().headers());
        headers.add(new Header(HttpProblem.FAULT, String.join(", ", injection.names())));
        return new HttpAnswer(
                new ReplyHead("HTTP/2", 200, "", headers), new byte[0], List.of(), HttpAnswer.Framing.CHUNKED);
    }

    private static HttpAnswer only(int status, String message) {
        List<Header> headers = new ArrayList<>();
        headers.add(new Header("content-type", "application/grpc"));
        headers.addAll(trailers(status, message));
        return new HttpAnswer(
                new ReplyHead("HTTP/2", 200, "", headers), new byte[0], List.of(), HttpAnswer.Framing.CHUNKED);
    }

    /** What ends a reply that has begun, and can't be gone on with. */
    static List<Header> trailers(String form, String why) {
        return trailers(UNAVAILABLE, "understudy: no recorded reply to " + form + ": " + why);
    }

    private static List<Header> trailers(int status, String message) {
        String shown = message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE);
        return List.of(new Header("grpc-status", Integer.toString(status)), new Header("grpc-message", encoded(shown)));
    }

    /** Percent-encoded, as the protocol wants all but printable ASCII. */
    private static String encoded(String message) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : message.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b <= '~' && b != '%') {
                encoded.append((char) b);
            } else {
                encoded.append('%').append("%02X".formatted(b & 0xff));
            }
        }
        return encoded.toString();
    }
}
