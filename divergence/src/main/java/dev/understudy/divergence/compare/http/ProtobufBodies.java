package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.content.JsonValue;
import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.content.protobuf.GrpcText;
import dev.understudy.divergence.content.protobuf.ProtobufSchema;
import dev.understudy.divergence.content.protobuf.ProtobufText;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies of Protocol Buffers and of gRPC, field by field, for one exchange.
 *
 * @param target of the request, by which a gRPC method's answer is known; "" if nobody knows
 * @param limit bytes that compressed messages of a body may come to
 */
record ProtobufBodies(ProtobufSchema schema, String target, int limit) {
    /** The body's tree; null if it isn't of these types, or can't be read exactly. */
    @Nullable
    JsonValue read(MediaType type, byte[] body) {
        if (isGrpc(type)) {
            return GrpcText.parse(body, schema, schema.answerOf(path()), limit);
        }
        return isProtobuf(type) ? ProtobufText.parse(body, schema, message(type)) : null;
    }

    /** Whether two bodies of these types are about the same message. */
    static boolean agree(MediaType type, MediaType other) {
        return (isGrpc(type) || isProtobuf(type)) && Objects.equals(message(type), message(other));
    }

    private static boolean isGrpc(MediaType type) {
        return Stream.of(
                        "application/grpc",
                        "application/grpc+proto",
                        "application/grpc-web",
                        "application/grpc-web+proto")
                .anyMatch(type.type()::equals);
    }

    private static boolean isProtobuf(MediaType type) {
        boolean several = "delimited"
                .equals(type.parameters().getOrDefault("encoding", "").toLowerCase(Locale.ROOT));
        return !several
                && Stream.of("application/x-protobuf", "application/protobuf", "application/vnd.google.protobuf")
                        .anyMatch(type.type()::equals);
    }

    /** As Google's APIs, Prometheus and others name it. */
    private static @Nullable String message(MediaType type) {
        return Stream.of("messagetype", "proto", "message")
                .map(type.parameters()::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }
}
