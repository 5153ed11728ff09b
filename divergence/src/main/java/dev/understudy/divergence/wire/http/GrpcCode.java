package dev.understudy.divergence.wire.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a gRPC call ended, with the protocol's numbers (grpc/grpc, doc/statuscodes.md). */
public enum GrpcCode {
    OK(0),
    CANCELLED(1),
    UNKNOWN(2),
    INVALID_ARGUMENT(3),
    DEADLINE_EXCEEDED(4),
    NOT_FOUND(5),
    ALREADY_EXISTS(6),
    PERMISSION_DENIED(7),
    RESOURCE_EXHAUSTED(8),
    FAILED_PRECONDITION(9),
    ABORTED(10),
    OUT_OF_RANGE(11),
    UNIMPLEMENTED(12),
    INTERNAL(13),
    UNAVAILABLE(14),
    DATA_LOSS(15),
    UNAUTHENTICATED(16);

    private static final String FIELD = "grpc-status";

    private final int number;

    GrpcCode(int number) {
        this.number = number;
    }

    /**
     * What the trailers of a reply say, or its headers if it has no others; null if they say nothing of it. A value
     * that is none counts as UNKNOWN, as it does for gRPC's own clients.
     */
    public static @Nullable GrpcCode of(List<Header> fields) {
        String value = HeaderList.first(fields, FIELD);
        if (value == null) {
            return null;
        }
        GrpcCode code = numbered(value);
        return code == null ? UNKNOWN : code;
    }

    /**
     * A code by its number or its name.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static GrpcCode named(String text) {
        GrpcCode code = numbered(text);
        return code == null ? valueOf(text) : code;
    }

    private static @Nullable GrpcCode numbered(String text) {
        for (GrpcCode code : values()) {
            if (text.equals(Integer.toString(code.number))) {
                return code;
            }
        }
        return null;
    }

    /** In the words for what a reply said, e.g. {@code grpc 13}. */
    public String said() {
        return "grpc " + number;
    }
}
