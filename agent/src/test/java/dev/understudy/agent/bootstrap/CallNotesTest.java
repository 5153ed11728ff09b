package dev.understudy.agent.bootstrap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CallNotesTest {
    private static final int PORT = 5433;
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String HEADER = "00-" + TRACE + "-b7ad6b7169203331-0";

    private final Object socket = new Object();

    @BeforeEach
    @AfterEach
    void keepNothing() {
        CallNotes.keep(Set.of());
        CallNotes.take();
        CallNotes.takeMissed();
    }

    @Test
    void aWriteToADebugPort_isNotedWithTheExchangeOfItsThread() {
        CallNotes.keep(Set.of(PORT, 65_535));
        long before = System.nanoTime();
        ServedExchange exchange = ExchangeTraffic.open(HEADER + 1);
        Sockets.writing(socket, PORT, 4711);
        ServedExchanges.exit(exchange);
        Sockets.writing(socket, 65_535, 4712);

        List<CallNote> notes = taken();
        assertThat(notes).extracting(CallNote::localPort).containsExactly(4711, 4712);
        assertThat(notes).extracting(CallNote::port).containsExactly(PORT, 65_535);
        assertThat(notes).extracting(CallNote::trace).containsExactly(TRACE, null);
        assertThat(notes.get(0).nanos()).isBetween(before, notes.get(1).nanos());
    }

    @Test
    void anExchangeThatIsNotSampled_hasItsTraceAllTheSame() {
        CallNotes.keep(Set.of(PORT));
        ExchangeTraffic.serving(HEADER + 0, () -> Sockets.writing(socket, PORT, 4711));
        ExchangeTraffic.serving("00-" + TRACE, () -> Sockets.writing(socket, PORT, 4711));

        assertThat(taken()).extracting(CallNote::trace).containsExactly(TRACE, null);
    }

    @Test
    void aTaskThatWasHandedOver_countsAsItsExchange_alsoWhenThatIsOver() throws Exception {
        CallNotes.keep(Set.of(PORT));
        Runnable early = () -> Sockets.writing(socket, PORT, 1);
        Runnable late = () -> Sockets.writing(socket, PORT, 2);
        ServedExchange exchange = ExchangeTraffic.open(HEADER + 1);
        Handover.handed(early);
        Handover.handed(late);
        OtherThreads.onAnotherStripe(() -> Handover.run(early));
        ServedExchanges.exit(exchange);
        OtherThreads.onAnotherStripe(() -> Handover.run(late));
        OtherThreads.onAnotherStripe(() -> Sockets.writing(socket, PORT, 3));

        List<CallNote> notes = taken();
        assertThat(notes).extracting(CallNote::localPort).containsExactly(1, 2, 3);
        assertThat(notes).extracting(CallNote::trace).containsExactly(TRACE, TRACE, null);
    }

    @Test
    void aTaskThatBeganBeforeTheHeadersWereRead_hasTheTraceThatTheyBring() {
        CallNotes.keep(Set.of(PORT));
        ServedExchange exchange = ExchangeTraffic.open(4711);
        ServedExchange part = new ServedExchange(exchange, null, null);
        exchange.told(HEADER + 1);
        CallNotes.put(1, PORT, part);
        ServedExchanges.exit(exchange);

        assertThat(taken()).extracting(CallNote::trace).containsExactly(TRACE);
    }

    /** A loop's thread is about to do something else, of which nobody tells. */
    @Test
    void anExchangeThatWasAnsweredByItsReadersThread_hasNoMoreCalls_butItsTasksHave() throws Exception {
        CallNotes.keep(Set.of(PORT));
        Object accepted = new Object();
        Runnable task = () -> Sockets.writing(socket, PORT, 3);
        Sockets.accepted(accepted, 4713);
        Sockets.read(10, Sockets.reading(accepted));
        ServedExchange exchange = Objects.requireNonNull(ServedExchanges.current());
        exchange.told(HEADER + 1);
        Handover.handed(task);
        Sockets.writing(socket, PORT, 1);
        Sockets.writing(accepted);
        Sockets.writing(socket, PORT, 2);
        OtherThreads.onAnotherStripe(() -> Handover.run(task));
        Sockets.read(-1, Sockets.reading(accepted));
        Sockets.writing(socket, PORT, 4);

        List<CallNote> notes = taken();
        assertThat(notes).extracting(CallNote::localPort).containsExactly(1, 2, 3, 4);
        assertThat(notes).extracting(CallNote::trace).containsExactly(TRACE, null, TRACE, null);
    }

    /** As a servlet's that has flushed. */
    @Test
    void anExchangeWhoseServerIsAtWork_hasCallsAlsoWhenItIsAnswered() {
        CallNotes.keep(Set.of(PORT));
        Object accepted = new Object();
        Sockets.accepted(accepted, 4714);
        Sockets.read(10, Sockets.reading(accepted));
        ServedExchange entered = ServedExchanges.begin(HEADER + 1);
        Sockets.writing(accepted);
        Sockets.writing(socket, PORT, 1);
        ServedExchanges.exit(entered);
        Sockets.writing(socket, PORT, 2);

        assertThat(taken()).extracting(CallNote::trace).containsExactly(TRACE, null);
    }

    @Test
    void whatIsNobodys_hasNoTrace() {
        CallNotes.keep(Set.of(PORT));
        ExchangeTraffic.serving(HEADER + 1, () -> {
            Object task = ExchangeTraffic.taskOfNobody();
            Sockets.writing(socket, PORT, 1);
            ExchangeTraffic.endTask(task);
        });

        assertThat(taken()).extracting(CallNote::trace).containsExactly((String) null);
    }

    @Test
    void otherPorts_andAcceptedSockets_areNotNoted() {
        Sockets.writing(socket, PORT, 1);
        CallNotes.keep(Set.of(PORT));
        Sockets.accepted(socket, PORT);
        Sockets.writing(socket, PORT, 2);
        Object upstream = new Object();
        for (int port : new int[] {0, -1, PORT - 64, PORT + 64, PORT + 65_536, Integer.MIN_VALUE}) {
            Sockets.writing(upstream, port, 3);
        }
        Sockets.writing(upstream);

        assertThat(taken()).isEmpty();
    }

    @Test
    void whatFindsNoRoom_isCountedWithTheTimeOfTheLatest() {
        CallNotes.keep(Set.of(PORT));
        for (int i = 0; i < CallNotes.CAPACITY + 3; i++) {
            Sockets.writing(socket, PORT, i);
        }
        CallNote latest = CallNotes.take();
        List<CallNote> all = chain(latest);

        assertThat(latest.dropped()).isEqualTo(3);
        assertThat(all).hasSize(CallNotes.CAPACITY + 1);
        assertThat(all.get(CallNotes.CAPACITY - 1).localPort()).isEqualTo(CallNotes.CAPACITY - 1);
        assertThat(latest.nanos())
                .isGreaterThanOrEqualTo(all.get(CallNotes.CAPACITY - 1).nanos());
        Sockets.writing(socket, PORT, 7);
        assertThat(taken()).as("there is room again").hasSize(1);
    }

    /** Seeded by nothing: the threads' races are what varies. */
    @Test
    void whatIsNotTaken_isLaterThanTheTaking_andAllIsInOrder() throws Exception {
        CallNotes.keep(Set.of(PORT));
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<Integer>> writers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            writers.add(threads.submit(() -> {
                int written = 0;
                for (; !over.get(); written++) {
                    Sockets.writing(socket, PORT, 1);
                }
                return written;
            }));
        }
        long counted = 0;
        long last = Long.MIN_VALUE;
        long begun = System.nanoTime();
        try {
            for (int takes = 0; takes < 3000 || System.nanoTime() - begun < 300_000_000; takes++) {
                long before = System.nanoTime();
                List<CallNote> notes = takes == 0 ? first() : taken();
                for (CallNote note : notes) {
                    assertThat(note.nanos()).isGreaterThanOrEqualTo(last);
                    last = note.nanos();
                    counted += note.dropped() == 0 ? 1 : note.dropped();
                }
                last = Math.max(last, before); // whatever comes later began later
            }
        } finally {
            over.set(true);
            threads.shutdown();
        }
        long written = 0;
        for (Future<Integer> writer : writers) {
            written += writer.get();
        }
        for (CallNote note : taken()) {
            counted += note.dropped() == 0 ? 1 : note.dropped();
        }
        assertThat(counted).as("none is lost unseen").isEqualTo(written);
    }

    /** Or a thread that read its time before could still add its note behind the old one. */
    @Test
    void eachTaking_leavesAnotherMark() {
        assertThat(CallNotes.take()).isNotSameAs(CallNotes.take());
    }

    @Test
    void whoeverWaits_isWokenByANote() throws Exception {
        CallNotes.keep(Set.of(PORT));
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Future<?> waiting = threads.submit(() -> CallNotes.await(Long.MAX_VALUE / 2));
        Sockets.writing(socket, PORT, 1);
        waiting.get(30, TimeUnit.SECONDS);
        threads.shutdown();

        assertThat(taken()).hasSize(1);
    }

    private static List<CallNote> first() throws InterruptedException {
        CallNotes.await(1_000_000_000);
        return taken();
    }

    private static List<CallNote> taken() {
        return chain(CallNotes.take());
    }

    private static List<CallNote> chain(CallNote latest) {
        List<CallNote> notes = new ArrayList<>();
        for (CallNote note = latest; note != null && note.before() != null; note = note.before()) {
            notes.add(note);
        }
        Collections.reverse(notes);
        return notes;
    }
}
