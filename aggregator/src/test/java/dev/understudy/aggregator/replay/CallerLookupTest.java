package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.match.CallerNews;
import dev.understudy.aggregator.match.CallerNotes;
import dev.understudy.aggregator.match.TraceId;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallerLookupTest {
    private static final int PORT = 40_001;
    private static final int TO = 7_432;
    private static final TraceId TRACE = new TraceId(0, 7);

    private final CallerLookup lookup = new CallerLookup(new CallerNotes(System::nanoTime));
    private final CallerLookup.Connection connection = lookup.between(PORT, TO);
    private final EmbeddedChannel channel = new EmbeddedChannel(connection);
    private final List<String> heard = new ArrayList<>();

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void requestWithoutAnAgent_doesNotWait() {
        ask(true);
        assertThat(heard).containsExactly("null");
    }

    @Test
    void request_waitsForItsWrite() {
        told(null);
        ask(true);
        assertThat(heard).isEmpty();

        told(System.nanoTime());
        channel.runPendingTasks();
        assertThat(heard).containsExactly(TRACE.toString());
        assertThat(lookup.waiting()).isZero();
    }

    @Test
    void requestForWhichItDoesNotMatter_doesNotWait() {
        told(null);
        ask(false);
        assertThat(heard).containsExactly("null");
    }

    @Test
    void requestAfterAnAnswer_isNotTheOneBefore() {
        told(System.nanoTime());
        ask(true);
        channel.writeOutbound("answer");
        ask(true);
        assertThat(heard).containsExactly(TRACE.toString());
    }

    @Test
    void requestThatNobodyTellsOf_waitsOnce_andTheOnesAfterItNot() {
        told(null);
        ask(true);
        channel.advanceTimeBy(CallerLookup.PATIENCE, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
        assertThat(heard).containsExactly("null");

        ask(true);
        assertThat(heard).containsExactly("null", "null");
        assertThat(lookup.waiting()).isZero();
    }

    @Test
    void cancelledRequest_hearsNothing() {
        told(null);
        connection
                .whose(channel.eventLoop(), () -> true, trace -> heard.add(String.valueOf(trace)))
                .cancel();
        told(System.nanoTime());
        channel.runPendingTasks();

        assertThat(heard).isEmpty();
        assertThat(lookup.waiting()).isZero();
    }

    @Test
    void requestsBeyondTheRoom_doNotWait() {
        told(null);
        for (int i = 0; i < CallerLookup.MOST + 5; i++) {
            ask(true);
        }
        assertThat(lookup.waiting()).isEqualTo(CallerLookup.MOST);
        assertThat(heard).hasSize(5);
    }

    private void ask(boolean wanted) {
        connection.whose(channel.eventLoop(), () -> wanted, trace -> heard.add(String.valueOf(trace)));
    }

    /** There is an agent; it has told of a write then, or of nothing ever. */
    private void told(@Nullable Long write) {
        long now = System.nanoTime();
        List<CallerNews.Write> writes =
                write == null ? List.of() : List.of(new CallerNews.Write(PORT, TO, write, TRACE));
        lookup.told(new CallerNews("one", true, now, 0, write == null ? now - 1_000_000_000 : now, null, writes));
    }
}
