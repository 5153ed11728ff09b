package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.TimeSpan;
import dev.understudy.aggregator.match.TraceId;
import java.util.Comparator;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ShelfTest {
    private static final Form FORM = Form.of("GET", "GET counter");

    private record Empty() implements RecordedReply {
        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public long answer() {
            return 0;
        }
    }

    private final AtomicLong comparisons = new AtomicLong();

    @ParameterizedTest
    @ValueSource(ints = {1_000, 10_000, 100_000, 1_000_000})
    void looks_costTheLogarithmOfWhatIsThere(int size) {
        ReplyQueue<Empty> shelf =
                new ReplyQueue<>(FORM, counting(JournalEntry.inOrder()), counting(JournalEntry.byTrace()));
        for (int i = 0; i < size; i++) {
            Recorded<Empty> recorded =
                    new Recorded<>(i, FORM.in(new TraceId(1, i)), 1, 10L * i, 10L * i + 5, new Empty());
            shelf.put(new JournalEntry<>(shelf, recorded));
        }
        Random random = new Random(size);
        long most = 0;
        for (int i = 0; i < 400; i++) {
            int wanted = size / 2 + random.nextInt(size / 2);
            TimeSpan span = new TimeSpan(10L * wanted, 10L * wanted + 9);
            most = Math.max(most, spent(() -> shelf.firstWithin(span, entry -> true)));
            most = Math.max(most, spent(() -> shelf.firstOf(new TraceId(1, wanted), span)));
            most = Math.max(most, spent(() -> {
                JournalEntry<Empty> found = shelf.first(entry -> true);
                if (found != null) {
                    found.take();
                }
                return found;
            }));
        }
        double levels = 2 * Math.log(size) / Math.log(2);
        assertThat(most).as("comparisons for one of %d", size).isLessThan((long) (4 * levels));
    }

    private long spent(Supplier<@Nullable JournalEntry<Empty>> look) {
        long before = comparisons.get();
        assertThat(look.get()).isNotNull();
        return comparisons.get() - before;
    }

    private Comparator<JournalEntry<Empty>> counting(Comparator<JournalEntry<Empty>> order) {
        return (one, other) -> {
            comparisons.incrementAndGet();
            return order.compare(one, other);
        };
    }
}
