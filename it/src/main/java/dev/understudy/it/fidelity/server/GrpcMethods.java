package dev.understudy.it.fidelity.server;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What {@link GrpcServer} can be asked, in all four kinds of call; messages are text. */
public final class GrpcMethods {
    public static final String SERVICE = "fidelity.Stage";

    /** Answers once to one message: {@code fail CODE}, {@code silent}, {@code large BYTES}, or anything. */
    public static final MethodDescriptor<String, String> ONCE = method(MethodType.UNARY, "once");

    /**
     * Answers {@code COUNT SIZE}, {@code COUNT SIZE fail} or {@code COUNT SIZE endless} with so many messages of this
     * size.
     */
    public static final MethodDescriptor<String, String> PIECES = method(MethodType.SERVER_STREAMING, "pieces");

    /** Answers many messages once, when all are there, or when one of them is {@code enough} or {@code fail}. */
    public static final MethodDescriptor<String, String> GATHER = method(MethodType.CLIENT_STREAMING, "gather");

    /** Answers each message, and the end. */
    public static final MethodDescriptor<String, String> TALK = method(MethodType.BIDI_STREAMING, "talk");

    /** The same, and has the first word. */
    public static final MethodDescriptor<String, String> GREET = method(MethodType.BIDI_STREAMING, "greet");

    /** Not offered by the server. */
    public static final MethodDescriptor<String, String> MISSING = method(MethodType.UNARY, "missing");

    /** Metadata that the server gives back, before its answer and after it. */
    public static final Metadata.Key<String> TOLD = Metadata.Key.of("x-told", Metadata.ASCII_STRING_MARSHALLER);

    /** How the details of an error travel. */
    public static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private GrpcMethods() {}

    private static MethodDescriptor<String, String> method(MethodType type, String name) {
        return MethodDescriptor.newBuilder(Text.INSTANCE, Text.INSTANCE)
                .setType(type)
                .setFullMethodName(SERVICE + '/' + name)
                .build();
    }

    private enum Text implements MethodDescriptor.Marshaller<String> {
        INSTANCE;

        @Override
        public InputStream stream(String message) {
            return new ByteArrayInputStream(message.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
