package dev.understudy.it.clients;

import dev.understudy.it.stage.Chain;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A gRPC service whose messages are bytes. */
final class GrpcMethods {
    static final String NAME = "understudy.Echo";
    static final MethodDescriptor<byte[], byte[]> ONCE = method(MethodType.UNARY, "once");
    static final MethodDescriptor<byte[], byte[]> PIECES = method(MethodType.SERVER_STREAMING, "pieces");
    static final MethodDescriptor<byte[], byte[]> TALK = method(MethodType.BIDI_STREAMING, "talk");

    private GrpcMethods() {}

    static byte[] bytes(Chain chain) {
        return chain.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static MethodDescriptor<byte[], byte[]> method(MethodType type, String name) {
        return MethodDescriptor.newBuilder(Plain.MESSAGES, Plain.MESSAGES)
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
                .build();
    }

    private enum Plain implements MethodDescriptor.Marshaller<byte[]> {
        MESSAGES;

        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
