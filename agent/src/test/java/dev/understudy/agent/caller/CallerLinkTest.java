package dev.understudy.agent.caller;

import dev.understudy.agent.bootstrap.CallNotes;
import dev.understudy.agent.bootstrap.CallTraffic;
import dev.understudy.agent.export.OwnThreads;
import dev.understudy.agent.export.SidecarClient;
import dev.understudy.agent.export.TlsSettings;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
final class CallerLinkTest {
    private static final int PORT = 5433;

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<Set<Integer>> answered = new CopyOnWriteArrayList<>();
    private FakeAggregator aggregator;
    private SidecarClient client;
    private Thread thread;

    @BeforeEach
    void begin() throws Exception {
        CallTraffic.reset();
        aggregator = new FakeAggregator(PORT);
        OwnThreads threads = new OwnThreads();
        client = new SidecarClient(aggregator.url(), "secret", TlsSettings.none(), threads);
        thread = threads.daemon("callers", new CallerLink(aggregator.url(), client, lines::add, answered::add));
    }

    @AfterEach
    void end() throws Exception {
        thread.interrupt();
        thread.join();
        client.close();
        aggregator.close();
        CallTraffic.reset();
    }

    @Test
    void nothingIsNoted_beforeTheFirstReplyHasNamedThePorts() throws Exception {
        CallTraffic.write(1, PORT);
        thread.start();
        String first = aggregator.message();
        UUID run = UUID.fromString(first.substring(8, 44));
        assertThat(first)
                .startsWith("{\"run\":\"" + run + "\",\"clock\":\"")
                .contains("\"roundTrip\":0,")
                .contains("\"lostUntil\":")
                .endsWith("\"calls\":[]}");
        assertThat(aggregator.authorization()).isEqualTo("Bearer secret");
        awaitNoted(PORT);
        long noted = System.nanoTime();
        CallTraffic.write(4711, PORT);

        String message =
                aggregator.message(some -> !FakeAggregator.callsOf(some).isEmpty());
        assertThat(message).startsWith("{\"run\":\"" + run);
        FakeAggregator.Call call = FakeAggregator.callsOf(message).get(0);
        assertThat(call.port()).isEqualTo(4711);
        assertThat(call.to()).isEqualTo(PORT);
        assertThat(call.trace()).isNull();
        assertThat(call.nanos()).isBetween(noted, FakeAggregator.number(message, "sent"));
        assertThat(FakeAggregator.number(message, "toldUntil")).isGreaterThan(call.nanos());
        assertThat(lines).containsExactly("the aggregator " + aggregator.url() + " knows which exchange makes a call");
    }

    @Test
    void whereTheAggregatorAnswers_isToldApartFromWhatIsNoted() throws Exception {
        aggregator.reply(200, "{\"ports\":[" + PORT + "],\"debugPorts\":[15433]}");
        thread.start();
        awaitNoted(PORT);

        assertThat(answered).isNotEmpty().allSatisfy(ports -> assertThat(ports).containsExactly(15_433));
    }

    @Test
    void whatWasWrittenBeforeThePortWasKnown_isReportedAsMissing() throws Exception {
        thread.start();
        awaitNoted(PORT);
        aggregator.ports(PORT, 6380);
        long before = System.nanoTime();
        awaitNoted(6380);
        String told = aggregator.message(some -> FakeAggregator.losesUntilAfter(some, before));
        String next = aggregator.message();

        assertThat(next).doesNotContain("lostUntil");
        assertThat(FakeAggregator.number(next, "toldUntil")).isGreaterThan(FakeAggregator.number(told, "toldUntil"));
    }

    @Test
    void messagesThatAreNotTaken_areReportedAsMissingWithTheNext_andOnce() throws Exception {
        thread.start();
        awaitNoted(PORT);
        for (String wrong : List.of("{\"ports\":0}", "{\"ports\":[1" + ",1".repeat(40_000) + "]}")) {
            aggregator.reply(200, wrong);
            lose();
        }
        aggregator.reply(404, "");
        long lost = lose();
        aggregator.ports(PORT);
        aggregator.message(some -> FakeAggregator.losesUntilAfter(some, lost));
        assertThat(CallTraffic.isNoted(PORT)).isTrue();
        while (lines.size() < 3) {
            Thread.onSpinWait();
        }
        assertThat(lines.get(1)).contains("doesn't know which exchange makes a call: ");
        assertThat(lines.get(2)).contains(" knows which exchange makes a call");
    }

    /** A note of a message that isn't taken. */
    private long lose() throws InterruptedException {
        long before = System.nanoTime();
        CallTraffic.write(1, PORT);
        FakeAggregator.Call lost = aggregator.calls(1).get(0);
        assertThat(lost.nanos()).isGreaterThanOrEqualTo(before);
        return lost.nanos();
    }

    @Test
    void thoughNothingHappens_messagesSayThatAllIsKnown_evermoreSeldom() throws Exception {
        thread.start();
        long last = 0;
        long gap = 0;
        for (int i = 0; i < 10; i++) {
            long told = FakeAggregator.number(aggregator.message(), "toldUntil");
            gap = last == 0 ? 0 : told - last;
            last = told;
        }
        assertThat(gap).as("after 4, 8, 16, … ms").isGreaterThan(400_000_000);
        assertThat(lines).hasSize(1);
    }

    @Test
    void manyWrites_areInOrder_andFewMessages() throws Exception {
        thread.start();
        awaitNoted(PORT);
        int all = 5000;
        for (int i = 0; i < all; i++) {
            CallTraffic.write(i, PORT);
        }
        long told = Long.MIN_VALUE;
        int next = 0;
        while (next < all) {
            String message = aggregator.message();
            List<FakeAggregator.Call> calls = FakeAggregator.callsOf(message);
            assertThat(calls).hasSizeLessThanOrEqualTo(CallBacklog.MOST_AT_ONCE);
            for (FakeAggregator.Call call : calls) {
                assertThat(call.port()).isEqualTo(next++);
                assertThat(call.nanos()).isGreaterThanOrEqualTo(told);
            }
            told = FakeAggregator.number(message, "toldUntil");
        }
    }

    @Test
    void withoutAnAggregator_nothingIsStarted() throws Exception {
        OwnThreads threads = new OwnThreads();
        CallerLink.start("", "", TlsSettings.none(), threads, ports -> {});

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(one -> one.getName().equals("understudy-callers"));
    }

    private static void awaitNoted(int port) {
        for (long begun = System.nanoTime(); !CallTraffic.isNoted(port); Thread.onSpinWait()) {
            if (System.nanoTime() - begun > 30_000_000_000L) {
                throw new AssertionError("port " + port + " isn't noted");
            }
        }
        CallNotes.takeMissed();
    }
}
