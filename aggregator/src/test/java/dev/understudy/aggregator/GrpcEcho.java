package dev.understudy.aggregator;

import io.grpc.BindableService;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A real gRPC server without TLS, whose answers tell how often it was asked before; all four kinds of call. */
final class GrpcEcho implements AutoCloseable {
    static final MethodDescriptor<String, String> ONCE = method(MethodType.UNARY, "test.Echo/once");
    static final MethodDescriptor<String, String> PIECES = method(MethodType.SERVER_STREAMING, "test.Echo/pieces");
    static final MethodDescriptor<String, String> SUM = method(MethodType.CLIENT_STREAMING, "test.Echo/sum");
    static final MethodDescriptor<String, String> TALK = method(MethodType.BIDI_STREAMING, "test.Echo/talk");
    static final MethodDescriptor<String, String> HEALTH = method(MethodType.UNARY, "grpc.health.v1.Health/Check");
    static final MethodDescriptor<String, String> REFLECT =
            method(MethodType.BIDI_STREAMING, "grpc.reflection.v1.ServerReflection/ServerReflectionInfo");

    /** Metadata of each call that came in. */
    final Queue<Metadata> calls = new ConcurrentLinkedQueue<>();

    private final AtomicInteger count = new AtomicInteger();
    private final Server server;

    GrpcEcho() throws IOException {
        BindableService echo = () -> ServerServiceDefinition.builder("test.Echo")
                .addMethod(ONCE, ServerCalls.asyncUnaryCall(this::once))
                .addMethod(PIECES, ServerCalls.asyncServerStreamingCall(this::pieces))
                .addMethod(SUM, ServerCalls.asyncClientStreamingCall(this::sum))
                .addMethod(TALK, ServerCalls.asyncBidiStreamingCall(this::talk))
                .build();
        BindableService health = () -> ServerServiceDefinition.builder("grpc.health.v1.Health")
                .addMethod(HEALTH, ServerCalls.asyncUnaryCall(this::once))
                .build();
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(echo)
                .addService(health)
                .intercept(new Counting())
                .build()
                .start();
    }

    int port() {
        return server.getPort();
    }

    private void once(String message, StreamObserver<String> answers) {
        if (message.equals("fail")) {
            answers.onError(Status.FAILED_PRECONDITION
                    .withDescription("no " + count.incrementAndGet())
                    .asRuntimeException());
            return;
        }
        answers.onNext(count.incrementAndGet() + " " + message);
        answers.onCompleted();
    }

    private void pieces(String message, StreamObserver<String> answers) {
        int first = count.incrementAndGet();
        for (int n = 0; n < 5; n++) {
            answers.onNext(first + "." + n + " " + message);
        }
        if (!message.equals("endless")) {
            answers.onCompleted();
        }
    }

    private StreamObserver<String> sum(StreamObserver<String> answers) {
        return new Heard(answers) {
            private final StringBuilder all = new StringBuilder();

            @Override
            public void onNext(String message) {
                all.append(message).append('+');
                if (message.equals("fail")) {
                    answers.onError(
                            Status.OUT_OF_RANGE.withDescription("no more").asRuntimeException());
                }
            }

            @Override
            public void onCompleted() {
                answers.onNext(count.incrementAndGet() + " " + all);
                answers.onCompleted();
            }
        };
    }

    private StreamObserver<String> talk(StreamObserver<String> answers) {
        int call = count.incrementAndGet();
        return new Heard(answers) {
            private int heard;

            @Override
            public void onNext(String message) {
                answers.onNext(call + "." + ++heard + " " + message);
            }

            @Override
            public void onCompleted() {
                answers.onNext(call + " bye");
                answers.onCompleted();
            }
        };
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private static MethodDescriptor<String, String> method(MethodType type, String name) {
        return MethodDescriptor.newBuilder(Text.INSTANCE, Text.INSTANCE)
                .setType(type)
                .setFullMethodName(name)
                .build();
    }

    private abstract static class Heard implements StreamObserver<String> {
        private final StreamObserver<String> answers;

        Heard(StreamObserver<String> answers) {
            this.answers = answers;
        }

        @Override
        public void onError(Throwable failure) {
            answers.onError(failure);
        }
    }

    private final class Counting implements ServerInterceptor {
        @Override
        public <A, B> ServerCall.Listener<A> interceptCall(
                ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
            calls.add(headers);
            call.setCompression("gzip");
            return next.startCall(new SimpleForwardingServerCall<>(call) {}, headers);
        }
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
