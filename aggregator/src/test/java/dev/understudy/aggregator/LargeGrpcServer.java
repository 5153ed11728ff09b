package dev.understudy.aggregator;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A real gRPC server of large messages, no two of which are alike, behind a door that lets them through as fast as they
 * are recorded.
 */
final class LargeGrpcServer implements AutoCloseable {
    static final int MIB = 1 << 20;
    static final int LONG = 64 * MIB;
    static final int POURED = 192;
    static final MethodDescriptor<LongText, LongText> ONCE = method(MethodType.UNARY, "test.Large/once");
    static final MethodDescriptor<LongText, LongText> TAKE = method(MethodType.UNARY, "test.Large/take");
    static final MethodDescriptor<LongText, LongText> PIECES = method(MethodType.SERVER_STREAMING, "test.Large/pieces");
    static final MethodDescriptor<LongText, LongText> TALK = method(MethodType.BIDI_STREAMING, "test.Large/talk");
    static final MethodDescriptor<LongText, LongText> POUR = method(MethodType.BIDI_STREAMING, "test.Large/pour");

    /** Messages that were answered. */
    final AtomicInteger count = new AtomicInteger();

    /** Is told of the server's bytes. */
    final AtomicReference<LongText.Progress> answering = new AtomicReference<>(bytes -> {});

    /** Is told of the client's bytes. */
    final AtomicReference<LongText.Progress> asking = new AtomicReference<>(bytes -> {});

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Server server;
    private final ServerSocket door;

    LargeGrpcServer() throws IOException {
        BindableService large = () -> ServerServiceDefinition.builder("test.Large")
                .addMethod(ONCE, ServerCalls.asyncUnaryCall((asked, answers) -> answer(LONG, 1, answers)))
                .addMethod(TAKE, ServerCalls.asyncUnaryCall((asked, answers) -> answer(10, 1, answers)))
                .addMethod(
                        PIECES, ServerCalls.asyncServerStreamingCall((asked, answers) -> answer(LONG / 4, 4, answers)))
                .addMethod(TALK, ServerCalls.asyncBidiStreamingCall(answers -> new Talk(answers, 1)))
                .addMethod(POUR, ServerCalls.asyncBidiStreamingCall(answers -> new Talk(answers, POURED)))
                .build();
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .maxInboundMessageSize(2 * LONG)
                .addService(large)
                .build()
                .start();
        door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        door.close();
        server.shutdownNow();
        threads.shutdownNow();
    }

    static ManagedChannel channel(String address) {
        return NettyChannelBuilder.forTarget("dns:///" + address)
                .usePlaintext()
                .maxInboundMessageSize(2 * LONG)
                .build();
    }

    private void answer(long bytes, int times, StreamObserver<LongText> answers) {
        int seed = count.incrementAndGet();
        for (int i = 0; i < times; i++) {
            answers.onNext(new LongText(bytes, 100L * seed + i));
        }
        answers.onCompleted();
    }

    private static MethodDescriptor<LongText, LongText> method(MethodType type, String name) {
        return MethodDescriptor.newBuilder(Bytes.INSTANCE, Bytes.INSTANCE)
                .setType(type)
                .setFullMethodName(name)
                .build();
    }

    private void accept() {
        try {
            while (true) {
                Socket accepted = door.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
                threads.execute(() -> copy(accepted, upstream, asking));
                threads.execute(() -> copy(upstream, accepted, answering));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private static void copy(Socket from, Socket to, AtomicReference<LongText.Progress> progress) {
        byte[] piece = new byte[1 << 16];
        long all = 0;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int some = in.read(piece); some >= 0; some = in.read(piece)) {
                out.write(piece, 0, some);
                all += some;
                Objects.requireNonNull(progress.get()).written(all);
            }
        } catch (IOException gone) {
            return;
        }
    }

    /** Answers each message by some of the same length. */
    private final class Talk implements StreamObserver<LongText> {
        private final StreamObserver<LongText> answers;
        private final int times;

        Talk(StreamObserver<LongText> answers, int times) {
            this.answers = answers;
            this.times = times;
        }

        @Override
        public void onNext(LongText message) {
            int seed = count.incrementAndGet();
            for (int i = 0; i < times; i++) {
                answers.onNext(new LongText(message.length(), 1_000L * seed + i));
            }
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {
            answers.onCompleted();
        }
    }

    /** Sent as so many bytes made from a seed, and received as length and sum of what came. */
    private enum Bytes implements MethodDescriptor.Marshaller<LongText> {
        INSTANCE;

        @Override
        public InputStream stream(LongText message) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) message.length());
            try {
                LongText.write(bytes, message.length(), message.sum(), written -> {});
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            return new ByteArrayInputStream(bytes.toByteArray());
        }

        @Override
        public LongText parse(InputStream stream) {
            try {
                return LongText.read(stream);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
