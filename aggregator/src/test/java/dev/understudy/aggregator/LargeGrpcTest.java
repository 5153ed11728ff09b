package dev.understudy.aggregator;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** gRPC messages of a size that the aggregator has no memory for. */
class LargeGrpcTest {
    private static final int MIB = 1 << 20;
    private static final int LONG = 64 * MIB;
    private static final LongText SHORT = new LongText(1, 1);
    private static final MethodDescriptor<LongText, LongText> ONCE = method(MethodType.UNARY, "test.Large/once");
    private static final MethodDescriptor<LongText, LongText> TAKE = method(MethodType.UNARY, "test.Large/take");
    private static final MethodDescriptor<LongText, LongText> PIECES =
            method(MethodType.SERVER_STREAMING, "test.Large/pieces");
    private static final MethodDescriptor<LongText, LongText> TALK =
            method(MethodType.BIDI_STREAMING, "test.Large/talk");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicReference<LongText.Progress> answering = new AtomicReference<>(bytes -> {});
    private final AtomicReference<LongText.Progress> asking = new AtomicReference<>(bytes -> {});
    private Server server;
    private ServerSocket paced;
    private SmallAggregator aggregator;
    private ManagedChannel production;
    private ManagedChannel debug;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        BindableService large = () -> ServerServiceDefinition.builder("test.Large")
                .addMethod(ONCE, ServerCalls.asyncUnaryCall((asked, answers) -> answer(LONG, 1, answers)))
                .addMethod(TAKE, ServerCalls.asyncUnaryCall((asked, answers) -> answer(10, 1, answers)))
                .addMethod(
                        PIECES, ServerCalls.asyncServerStreamingCall((asked, answers) -> answer(LONG / 4, 4, answers)))
                .addMethod(TALK, ServerCalls.asyncBidiStreamingCall(Talk::new))
                .build();
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .maxInboundMessageSize(2 * LONG)
                .addService(large)
                .build()
                .start();
        paced = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
        aggregator = new SmallAggregator(folder, "http", paced.getLocalPort(), "");
        production = channel(aggregator.production());
        debug = channel(aggregator.debug());
    }

    @AfterEach
    void close() throws IOException {
        production.shutdownNow();
        debug.shutdownNow();
        aggregator.close();
        paced.close();
        server.shutdownNow();
        threads.shutdownNow();
    }

    @Test
    void messageLargerThanMayBeHeld_isReplayedAsItWas() throws Exception {
        answering.set(aggregator.keepingUp());
        LongText real = once(production, ONCE, SHORT);
        assertThat(real.length()).isEqualTo(LONG);
        aggregator.awaitRecorded(1);
        assertThat(aggregator.large("unused")).isEqualTo(1);
        long resident = aggregator.resident();
        assertThat(once(debug, ONCE, SHORT)).isEqualTo(real);
        assertThat(aggregator.resident() - resident).as("grown by the replay").isLessThan(60L * MIB);
        assertThat(count).hasValue(1);
        TestAggregator.await(() -> aggregator.large("bytes") == 0);
    }

    @Test
    void streamOfLargeMessages_isReplayedAsItWas() throws Exception {
        answering.set(aggregator.keepingUp());
        List<LongText> real = pieces(production);
        assertThat(real)
                .hasSize(4)
                .allMatch(piece -> piece.length() == LONG / 4)
                .doesNotHaveDuplicates();
        aggregator.awaitRecorded(1);
        assertThat(pieces(debug)).isEqualTo(real);
        assertThat(count).hasValue(1);
    }

    @Test
    void largeRequest_isAnsweredByItsHash() throws Exception {
        asking.set(aggregator.keepingUpWithRequests());
        LongText real = once(production, TAKE, new LongText(LONG, 7));
        aggregator.awaitRecorded(1);
        assertThatThrownBy(() -> once(debug, TAKE, new LongText(LONG, 8)))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("no recorded reply");
        assertThat(once(debug, TAKE, new LongText(LONG, 7))).isEqualTo(real);
        assertThat(count).hasValue(1);
    }

    /** What of it belongs to what was said before has to be at hand. */
    @Test
    void conversationOfLargeMessages_isCounted() throws Exception {
        StreamObserver<LongText> heard = new Heard();
        StreamObserver<LongText> said =
                ClientCalls.asyncBidiStreamingCall(production.newCall(TALK, CallOptions.DEFAULT), heard);
        said.onNext(new LongText(5 * MIB, 1));
        TestAggregator.await(() -> count.get() == 2);
        said.onCompleted();
        TestAggregator.await(() -> aggregator.status().contains("\"TOO_LARGE\":1"));
    }

    /** How much of it production had got isn't known of what lies in files. */
    @Test
    void largeStreamThatProductionGaveUp_isCounted() throws Exception {
        answering.set(aggregator.keepingUp());
        ClientCall<LongText, LongText> call = production.newCall(PIECES, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(LongText message) {
                        call.cancel("enough", null);
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(SHORT);
        call.halfClose();
        TestAggregator.await(() -> aggregator.status().contains("\"TOO_LARGE\":1"));
        assertThat(aggregator.number("exchanges")).isZero();
        TestAggregator.await(() -> aggregator.large("bytes") == 0);
    }

    private void answer(long bytes, int times, StreamObserver<LongText> answers) {
        int seed = count.incrementAndGet();
        for (int i = 0; i < times; i++) {
            answers.onNext(new LongText(bytes, 100L * seed + i));
        }
        answers.onCompleted();
    }

    private static LongText once(ManagedChannel channel, MethodDescriptor<LongText, LongText> method, LongText asked) {
        return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, asked);
    }

    private static List<LongText> pieces(ManagedChannel channel) {
        List<LongText> pieces = new ArrayList<>();
        ClientCalls.blockingServerStreamingCall(channel, PIECES, CallOptions.DEFAULT, SHORT)
                .forEachRemaining(pieces::add);
        return pieces;
    }

    private static ManagedChannel channel(String address) {
        return NettyChannelBuilder.forTarget("dns:///" + address)
                .usePlaintext()
                .maxInboundMessageSize(2 * LONG)
                .build();
    }

    private static MethodDescriptor<LongText, LongText> method(MethodType type, String name) {
        return MethodDescriptor.newBuilder(Bytes.INSTANCE, Bytes.INSTANCE)
                .setType(type)
                .setFullMethodName(name)
                .build();
    }

    /** Before the server, whose bytes it lets through no faster than they are recorded. */
    private void accept() {
        try {
            while (true) {
                Socket accepted = paced.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
                threads.execute(() -> copy(
                        accepted,
                        upstream,
                        bytes -> Objects.requireNonNull(asking.get()).written(bytes)));
                threads.execute(() -> copy(
                        upstream,
                        accepted,
                        bytes -> Objects.requireNonNull(answering.get()).written(bytes)));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private static void copy(Socket from, Socket to, LongText.Progress progress) {
        byte[] piece = new byte[1 << 16];
        long all = 0;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int some = in.read(piece); some >= 0; some = in.read(piece)) {
                out.write(piece, 0, some);
                all += some;
                progress.written(all);
            }
        } catch (IOException gone) {
            return;
        }
    }

    /** Answers each message by one of the same length. */
    private final class Talk extends Heard {
        private final StreamObserver<LongText> answers;

        Talk(StreamObserver<LongText> answers) {
            this.answers = answers;
        }

        @Override
        public void onNext(LongText message) {
            answers.onNext(new LongText(message.length(), 3));
            count.incrementAndGet();
        }

        @Override
        public void onCompleted() {
            answers.onCompleted();
        }
    }

    /** Counts what it hears. */
    private class Heard implements StreamObserver<LongText> {
        @Override
        public void onNext(LongText message) {
            count.incrementAndGet();
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
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
