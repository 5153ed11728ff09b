package dev.understudy.agent.fork;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.internal.logging.InternalLoggerFactory;
import io.grpc.netty.shaded.io.netty.util.internal.logging.JdkLoggerFactory;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A gRPC service that tells prices, one at a time or as long as it is asked, and how it is asked. */
final class GrpcPrices {
    private static final String NAME = "understudy.Prices";
    private static final MethodDescriptor<String, String> ONCE = method(MethodType.UNARY, "once");
    private static final MethodDescriptor<String, String> TALK = method(MethodType.BIDI_STREAMING, "talk");

    private GrpcPrices() {}

    /**
     * Serves on a free loopback port, which is returned: by the JDK's channels, or by a native transport where there is
     * one.
     */
    static int start(boolean channels) throws IOException {
        NettyServerBuilder server =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        if (channels) {
            NioEventLoopGroup loop = new NioEventLoopGroup(1);
            server.channelType(NioServerSocketChannel.class)
                    .bossEventLoopGroup(loop)
                    .workerEventLoopGroup(loop);
        }
        return server.addService(ServerServiceDefinition.builder(NAME)
                        .addMethod(ONCE, ServerCalls.asyncUnaryCall(GrpcPrices::once))
                        .addMethod(TALK, ServerCalls.asyncBidiStreamingCall(Talk::new))
                        .build())
                .build()
                .start()
                .getPort();
    }

    private static void once(String quantity, StreamObserver<String> answers) {
        answers.onNext("price " + SmallServer.price(Integer.parseInt(quantity)));
        answers.onCompleted();
    }

    /** A client's connection to what {@link #start} has returned. */
    static ManagedChannel connect(String port) {
        InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE); // or Logback prints all that it is told
        return NettyChannelBuilder.forAddress("127.0.0.1", Integer.parseInt(port))
                .usePlaintext()
                .build();
    }

    static String ask(ManagedChannel channel, String quantity, String traceparent) {
        return ClientCalls.blockingUnaryCall(with(channel, traceparent), ONCE, options(), quantity);
    }

    /** What was answered last. */
    static String talk(ManagedChannel channel, String quantity, String traceparent) throws Exception {
        CompletableFuture<String> answered = new CompletableFuture<>();
        StreamObserver<String> asking = ClientCalls.asyncBidiStreamingCall(
                with(channel, traceparent).newCall(TALK, options()), new Last(answered));
        asking.onNext("1");
        asking.onNext(quantity);
        asking.onCompleted();
        return answered.get(1, TimeUnit.MINUTES);
    }

    private static CallOptions options() {
        return CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.MINUTES);
    }

    private static Channel with(ManagedChannel channel, String traceparent) {
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), traceparent);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    private static MethodDescriptor<String, String> method(MethodType type, String name) {
        return MethodDescriptor.newBuilder(Plain.TEXT, Plain.TEXT)
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
                .build();
    }

    /** Answers each message with what it costs. */
    private static final class Talk implements StreamObserver<String> {
        private final StreamObserver<String> answers;

        Talk(StreamObserver<String> answers) {
            this.answers = answers;
        }

        @Override
        public void onNext(String quantity) {
            answers.onNext("price " + SmallServer.price(Integer.parseInt(quantity)));
        }

        @Override
        public void onError(Throwable failure) {
            // the client is gone
        }

        @Override
        public void onCompleted() {
            answers.onCompleted();
        }
    }

    private static final class Last implements StreamObserver<String> {
        private final CompletableFuture<String> answered;
        private String last = "";

        Last(CompletableFuture<String> answered) {
            this.answered = answered;
        }

        @Override
        public void onNext(String answer) {
            last = answer;
        }

        @Override
        public void onError(Throwable failure) {
            answered.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            answered.complete(last);
        }
    }

    private enum Plain implements MethodDescriptor.Marshaller<String> {
        TEXT;

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
