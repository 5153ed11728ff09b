package dev.understudy.aggregator;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
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

import static dev.understudy.aggregator.LargeGrpcServer.MIB;
import static dev.understudy.aggregator.LargeGrpcServer.POUR;
import static dev.understudy.aggregator.LargeGrpcServer.POURED;
import static dev.understudy.aggregator.LargeGrpcServer.TALK;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * gRPC conversations, whose reply begins before their request ends, of a size that the aggregator has no memory for.
 */
@Tag("process")
@Tag("slow")
class LargeConversationTest {
    private static final int TURNS = 20;

    /** As many as fill no memory, but are too large for a reply that is held. */
    private static final int FEW = 8;

    private static final int TURN = 5 * MIB;

    private LargeGrpcServer server;
    private SmallAggregator aggregator;

    @TempDir
    private Path folder;

    private final List<ManagedChannel> channels = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        server = new LargeGrpcServer();
        start("");
    }

    private void start(String journal) throws IOException {
        aggregator = new SmallAggregator(folder, "http", server.port(), journal);
    }

    @AfterEach
    void close() throws IOException {
        channels.forEach(ManagedChannel::shutdownNow);
        aggregator.close();
        server.close();
    }

    @Test
    void largeConversation_isReplayedAsFarAsDebugHasSaidWhatProductionHad() throws Exception {
        List<LongText> real = recorded(TURNS);
        long resident = aggregator.resident();

        Talk replayed = new Talk(aggregator.debug(), TALK);
        for (int turn = 0; turn < TURNS; turn++) {
            replayed.say(said(turn));
            assertThat(replayed.next()).as("answer %d", turn).isEqualTo(real.get(turn));
            assertThat(replayed.heard).as("answers beyond %d", turn).isEmpty();
        }
        replayed.end();
        assertThat(replayed.status()).isEqualTo("OK");
        assertThat(aggregator.resident() - resident).as("grown by the replay").isLessThan(60L * MIB);
        assertThat(server.count).as("messages that reached the server").hasValue(TURNS);
        Eventually.await(() -> aggregator.large("bytes") == 0);
        assertThat(aggregator.status()).contains("\"replayed\":1", "\"missed\":0");
    }

    @Test
    void largeConversationThatGoesAnotherWay_endsWhereItDoes() throws Exception {
        List<LongText> real = recorded(FEW);
        int other = FEW - 2;

        Talk replayed = new Talk(aggregator.debug(), TALK);
        for (int turn = 0; turn < other; turn++) {
            replayed.say(said(turn));
            assertThat(replayed.next()).as("answer %d", turn).isEqualTo(real.get(turn));
        }
        replayed.say(new LongText(TURN, 99));
        assertThat(replayed.status())
                .startsWith("UNAVAILABLE")
                .contains("message " + (other + 1) + " isn't the one that production sent");
        assertThat(replayed.heard).isEmpty();
        Eventually.await(() -> aggregator.large("bytes") == 0);
        assertThat(aggregator.status()).contains("\"missed\":1");
    }

    @Test
    void largeConversationThatEndsEarlier_isAMissThere() throws Exception {
        List<LongText> real = recorded(FEW);

        Talk replayed = new Talk(aggregator.debug(), TALK);
        replayed.say(said(0));
        replayed.say(said(1));
        assertThat(List.of(replayed.next(), replayed.next())).isEqualTo(real.subList(0, 2));
        replayed.end();
        assertThat(replayed.status()).startsWith("UNAVAILABLE").contains("production sent more than 2 messages");
        assertThat(replayed.heard).isEmpty();
    }

    @Test
    void debugThatReadsSlowly_takesNoMemory() throws Exception {
        server.answering.set(aggregator.keepingUp());
        Talk production = new Talk(aggregator.production(), POUR);
        production.say(said(0, MIB));
        List<LongText> real = new ArrayList<>();
        for (int n = 0; n < POURED; n++) {
            real.add(production.next());
        }
        production.end();
        assertThat(production.status()).isEqualTo("OK");
        aggregator.awaitRecorded(1);
        long resident = aggregator.resident();

        Talk replayed = new Talk(aggregator.debug(), POUR, 1);
        replayed.say(said(0, MIB));
        assertThat(replayed.next()).isEqualTo(real.get(0));
        for (int look = 0; look < 100; look++) {
            assertThat(aggregator.resident() - resident).as("grown").isLessThan(60L * MIB);
            assertThat(aggregator.number("replayed")).isEqualTo(1);
        }
        for (int n = 1; n < POURED; n++) {
            replayed.call.request(1);
            assertThat(replayed.next()).as("answer %d", n).isEqualTo(real.get(n));
        }
        replayed.end();
        replayed.call.request(1);
        assertThat(replayed.status()).isEqualTo("OK");
        assertThat(aggregator.resident() - resident).as("grown").isLessThan(60L * MIB);
        assertThat(server.count).hasValue(1);
    }

    @Test
    void largeConversation_ofAKilledAggregator_isThereWhenItIsBack() throws Exception {
        String journal = "disk-directory: " + folder.resolve("journals");
        aggregator.close();
        start(journal);
        List<LongText> real = recorded(FEW);
        Eventually.await(() -> aggregator.number("written") == 1);
        aggregator.kill();
        aggregator.close();
        start(journal);
        Eventually.await(() -> aggregator.number("reloaded") == 1);

        Talk replayed = new Talk(aggregator.debug(), TALK);
        for (int turn = 0; turn < FEW; turn++) {
            replayed.say(said(turn));
        }
        replayed.end();
        for (int turn = 0; turn < FEW; turn++) {
            assertThat(replayed.next()).as("answer %d", turn).isEqualTo(real.get(turn));
        }
        assertThat(replayed.status()).isEqualTo("OK");
        assertThat(server.count).hasValue(FEW);
    }

    /** Has production talk to the server for a while, and returns the answers. */
    private List<LongText> recorded(int turns) throws Exception {
        server.answering.set(aggregator.keepingUp());
        server.asking.set(aggregator.keepingUpWithRequests());
        Talk production = new Talk(aggregator.production(), TALK);
        List<LongText> answers = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
            production.say(said(turn));
            answers.add(production.next());
        }
        production.end();
        assertThat(production.status()).isEqualTo("OK");
        assertThat(answers).allMatch(answer -> answer.length() == TURN).doesNotHaveDuplicates();
        aggregator.awaitRecorded(1);
        assertThat(aggregator.large("unused")).isEqualTo(1);
        return answers;
    }

    private static LongText said(int turn) {
        return said(turn, TURN);
    }

    private static LongText said(int turn, int bytes) {
        return new LongText(bytes, turn + 1);
    }

    /** One call, said and heard message by message. */
    private final class Talk extends ClientCall.Listener<LongText> {
        private final ClientCall<LongText, LongText> call;
        private final BlockingQueue<LongText> heard = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();

        Talk(String address, MethodDescriptor<LongText, LongText> method) {
            this(address, method, Integer.MAX_VALUE);
        }

        /** @param first messages that it takes before it is asked to take more */
        Talk(String address, MethodDescriptor<LongText, LongText> method, int first) {
            ManagedChannel channel = LargeGrpcServer.channel(address);
            channels.add(channel);
            call = channel.newCall(method, CallOptions.DEFAULT);
            call.start(this, new Metadata());
            call.request(first);
        }

        void say(LongText message) {
            call.sendMessage(message);
        }

        void end() {
            call.halfClose();
        }

        LongText next() throws InterruptedException {
            LongText next = heard.poll(60, TimeUnit.SECONDS);
            assertThat(next).as("%s", ended).isNotNull();
            return next;
        }

        String status() throws InterruptedException {
            String status = ended.poll(60, TimeUnit.SECONDS);
            return status == null ? "no end" : status;
        }

        @Override
        public void onMessage(LongText message) {
            heard.add(message);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            ended.add(status.isOk() ? "OK" : status.getCode() + " " + status.getDescription());
        }
    }
}
