package dev.understudy.aggregator;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.aggregator.LargeGrpcServer.LONG;
import static dev.understudy.aggregator.LargeGrpcServer.MIB;
import static dev.understudy.aggregator.LargeGrpcServer.ONCE;
import static dev.understudy.aggregator.LargeGrpcServer.PIECES;
import static dev.understudy.aggregator.LargeGrpcServer.TAKE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** gRPC messages of a size that the aggregator has no memory for. */
@Tag("process")
@Tag("slow")
class LargeGrpcTest {
    private static final LongText SHORT = new LongText(1, 1);

    private LargeGrpcServer server;
    private SmallAggregator aggregator;
    private ManagedChannel production;
    private ManagedChannel debug;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        server = new LargeGrpcServer();
        aggregator = new SmallAggregator(folder, "http", server.port(), "");
        production = LargeGrpcServer.channel(aggregator.production());
        debug = LargeGrpcServer.channel(aggregator.debug());
    }

    @AfterEach
    void close() throws IOException {
        production.shutdownNow();
        debug.shutdownNow();
        aggregator.close();
        server.close();
    }

    @Test
    void messageLargerThanMayBeHeld_isReplayedAsItWas() throws Exception {
        server.answering.set(aggregator.keepingUp());
        LongText real = once(production, ONCE, SHORT);
        assertThat(real.length()).isEqualTo(LONG);
        aggregator.awaitRecorded(1);
        assertThat(aggregator.large("unused")).isEqualTo(1);
        long resident = aggregator.resident();
        assertThat(once(debug, ONCE, SHORT)).isEqualTo(real);
        assertThat(aggregator.resident() - resident).as("grown by the replay").isLessThan(60L * MIB);
        assertThat(server.count).hasValue(1);
        Eventually.await(() -> aggregator.large("bytes") == 0);
    }

    @Test
    void streamOfLargeMessages_isReplayedAsItWas() throws Exception {
        server.answering.set(aggregator.keepingUp());
        List<LongText> real = pieces(production);
        assertThat(real)
                .hasSize(4)
                .allMatch(piece -> piece.length() == LONG / 4)
                .doesNotHaveDuplicates();
        aggregator.awaitRecorded(1);
        assertThat(pieces(debug)).isEqualTo(real);
        assertThat(server.count).hasValue(1);
    }

    @Test
    void largeRequest_isAnsweredByItsHash() throws Exception {
        server.asking.set(aggregator.keepingUpWithRequests());
        LongText real = once(production, TAKE, new LongText(LONG, 7));
        aggregator.awaitRecorded(1);
        assertThatThrownBy(() -> once(debug, TAKE, new LongText(LONG, 8)))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("no recorded reply");
        assertThat(once(debug, TAKE, new LongText(LONG, 7))).isEqualTo(real);
        assertThat(server.count).hasValue(1);
    }

    @Test
    void largeStreamThatProductionGaveUp_getsWhatProductionHad() throws Exception {
        server.answering.set(aggregator.keepingUp());
        Until real = new Until(production, 2);
        assertThat(real.next()).isEqualTo(new LongText(LONG / 4, real.first.sum()));
        real.next();
        aggregator.awaitRecorded(1);
        assertThat(aggregator.large("unused")).isEqualTo(1);

        Until replayed = new Until(debug, Integer.MAX_VALUE);
        assertThat(replayed.next()).isEqualTo(real.first);
        assertThat(replayed.next().length()).isEqualTo(LONG / 4);
        Eventually.await(() -> aggregator.large("bytes") == 0);
        assertThat(replayed.closed).as("production saw no end").isFalse();
        replayed.call.cancel("enough", null);
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

    /** Asks for pieces, and gives up once it has so many. */
    private static final class Until extends ClientCall.Listener<LongText> {
        private final ClientCall<LongText, LongText> call;
        private final BlockingQueue<LongText> heard = new LinkedBlockingQueue<>();
        private final int most;
        private int count;
        private LongText first = SHORT;
        private volatile boolean closed;

        Until(ManagedChannel channel, int most) {
            this.most = most;
            call = channel.newCall(PIECES, CallOptions.DEFAULT);
            call.start(this, new Metadata());
            call.request(Integer.MAX_VALUE);
            call.sendMessage(SHORT);
            call.halfClose();
        }

        @Override
        public void onMessage(LongText message) {
            first = count++ == 0 ? message : first;
            heard.add(message);
            if (count == most) {
                call.cancel("enough", null);
            }
        }

        @Override
        public void onClose(io.grpc.Status status, Metadata trailers) {
            closed = true;
        }

        LongText next() throws InterruptedException {
            LongText next = heard.poll(60, TimeUnit.SECONDS);
            return next == null ? SHORT : next;
        }
    }
}
