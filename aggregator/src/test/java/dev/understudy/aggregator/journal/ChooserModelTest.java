package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.past.AnswerHistory;
import dev.understudy.aggregator.match.Inbound;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.MatchReason;
import dev.understudy.aggregator.match.TimeSpan;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.aggregator.match.UpstreamCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The chooser beside a model that looks at everything: thousands of random situations, call after call. */
class ChooserModelTest {
    private static final Form FORM = Form.of("GET", "GET counter");
    private static final long NOW = 10_000;

    private record Numbered(long answer) implements RecordedReply {
        @Override
        public long bytes() {
            return 8;
        }
    }

    @Test
    void choice_isTheModels() {
        Map<MatchReason, Integer> seen = new EnumMap<>(MatchReason.class);
        for (long seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            List<Inbound> exchanges = exchanges(random);
            List<JournalEntry<Numbered>> entries = new ArrayList<>();
            AnswerHistory answers = new AnswerHistory();
            InboundExchanges inbound = new InboundExchanges(() -> NOW);
            tellPiecemeal(inbound, exchanges, random);
            ReplyQueue<Numbered> shelf = new ReplyQueue<>(FORM);
            fill(shelf, entries, answers, random);
            Chooser<Numbered> chooser = new Chooser<>(inbound, answers);
            while (!entries.isEmpty()) {
                UpstreamCall call =
                        new UpstreamCall(NOW, random.nextInt(4) == 0 ? null : trace(random.nextInt(40)), null);
                Choice<Numbered> choice = chooser.choose(shelf, FORM, call, NOW, true);
                JournalEntry<Numbered> expected = model(exchanges, entries, answers.changing(FORM), call);
                assertThat(choice.entry())
                        .as("seed %d, %s, %s, %d entries", seed, call, choice.reason(), entries.size())
                        .isSameAs(expected);
                JournalEntry<Numbered> gone = expected == null ? entries.get(0) : expected;
                if (choice.reason() != null) {
                    seen.merge(choice.reason().basis(), 1, Integer::sum);
                }
                gone.take();
                entries.remove(gone);
            }
        }
        for (MatchReason basis : List.of(MatchReason.TRACE, MatchReason.INTERVAL, MatchReason.ORDER)) {
            assertThat(seen.getOrDefault(basis, 0)).as("choices by %s", basis).isGreaterThan(1_000);
        }
    }

    private static @Nullable JournalEntry<Numbered> model(
            List<Inbound> exchanges, List<JournalEntry<Numbered>> entries, boolean changing, UpstreamCall call) {
        TraceId named = call.trace();
        List<Inbound> origins = exchanges.stream()
                .filter(exchange -> named != null && named.equals(exchange.debugTrace()))
                .toList();
        if (origins.isEmpty() && named != null) {
            List<Inbound> all = exchanges.stream()
                    .filter(exchange -> named.equals(exchange.trace()))
                    .toList();
            List<Inbound> served = all.stream().filter(Inbound::served).toList();
            origins = served.isEmpty() ? all : served;
        }
        TraceId wanted = named;
        boolean exact = !origins.isEmpty();
        if (origins.isEmpty()) {
            origins = exchanges.stream().filter(Inbound::served).toList();
        } else {
            List<TraceId> traces = new ArrayList<>();
            origins.forEach(origin -> traces.add(origin.trace()));
            wanted = traces.stream().distinct().count() == 1 ? traces.get(0) : null;
        }
        List<Inbound> from = origins;
        Predicate<JournalEntry<Numbered>> inside = entry ->
                from.stream().anyMatch(origin -> origin.production().contains(entry.startNanos, entry.endNanos));
        TraceId trace = wanted;
        if (trace != null) {
            JournalEntry<Numbered> own = first(entries, inside.and(entry -> trace.equals(entry.trace())));
            long sharers = exchanges.stream()
                    .filter(exchange -> trace.equals(exchange.trace()))
                    .count();
            own = own == null && sharers < 2 ? first(entries, entry -> trace.equals(entry.trace())) : own;
            if (own != null) {
                return own;
            }
        }
        Predicate<JournalEntry<Numbered>> foreign = entry -> entry.trace() != null
                && !entry.trace().equals(trace)
                && from.stream().noneMatch(origin -> entry.trace().equals(origin.trace()))
                && exchanges.stream()
                        .anyMatch(exchange -> entry.trace().equals(exchange.trace()) && exchange.done() == null);
        Predicate<JournalEntry<Numbered>> others = entry -> entry.trace() != null
                && !entry.trace().equals(trace)
                && from.stream().noneMatch(origin -> entry.trace().equals(origin.trace()))
                && exchanges.stream().anyMatch(exchange -> entry.trace().equals(exchange.trace()));
        JournalEntry<Numbered> within = first(entries, inside.and(others.negate()));
        if (within != null && exact && origins.size() == 1) {
            learn(exchanges, origins.get(0), within);
        }
        return within != null ? within : first(entries, changing ? foreign.negate() : entry -> true);
    }

    /** The trace of a call is that of its inbound exchange, if no other one can have made it. */
    private static void learn(List<Inbound> exchanges, Inbound origin, JournalEntry<Numbered> within) {
        TraceId trace = within.trace();
        boolean others = exchanges.stream()
                .filter(other -> other.id() != origin.id())
                .filter(other -> other.trace() == null || other.trace().equals(trace))
                .anyMatch(other -> other.production().contains(within.startNanos, within.endNanos));
        if (origin.trace() == null && trace != null && !others) {
            exchanges.remove(origin);
            exchanges.add(new Inbound(
                    origin.id(), trace, origin.debugTrace(), origin.production(), origin.handed(), origin.done()));
        }
    }

    private static @Nullable JournalEntry<Numbered> first(
            List<JournalEntry<Numbered>> entries, Predicate<JournalEntry<Numbered>> wanted) {
        return entries.stream()
                .filter(wanted)
                .min(Comparator.comparingLong((JournalEntry<Numbered> entry) -> entry.endNanos)
                        .thenComparingLong(entry -> entry.id))
                .orElse(null);
    }

    private static List<Inbound> exchanges(Random random) {
        List<Inbound> exchanges = new ArrayList<>();
        int count = random.nextInt(12);
        for (int id = 1; id <= count; id++) {
            long from = random.nextInt(100);
            long to = random.nextInt(8) == 0 ? Long.MAX_VALUE : from + random.nextInt(40);
            Long handed = random.nextInt(3) == 0 ? null : Long.valueOf(200);
            Long done = handed != null && random.nextInt(3) == 0 ? Long.valueOf(300) : null;
            TraceId trace = random.nextInt(3) == 0 ? null : trace(random.nextInt(8));
            TraceId debug = random.nextInt(4) == 0 ? null : trace(20 + id);
            exchanges.add(new Inbound(id, trace, debug, new TimeSpan(from, to), handed, done));
        }
        return exchanges;
    }

    /** What is told of an exchange is told anew whenever it changes. */
    private static void tellPiecemeal(InboundExchanges inbound, List<Inbound> exchanges, Random random) {
        for (Inbound exchange : exchanges) {
            if (random.nextBoolean()) {
                TimeSpan open = new TimeSpan(exchange.production().from(), Long.MAX_VALUE);
                inbound.told(
                        List.of(new Inbound(exchange.id(), exchange.trace(), exchange.debugTrace(), open, null, null)),
                        0);
            }
        }
        inbound.told(exchanges, 0);
    }

    private static void fill(
            ReplyQueue<Numbered> shelf, List<JournalEntry<Numbered>> entries, AnswerHistory answers, Random random) {
        int count = 1 + random.nextInt(12);
        int different = 1 + random.nextInt(3);
        for (int id = 1; id <= count; id++) {
            long start = random.nextInt(120);
            long end = start + random.nextInt(20);
            TraceId trace = random.nextInt(3) == 0 ? null : trace(random.nextInt(10));
            Numbered reply = new Numbered(random.nextInt(different));
            answers.recorded(FORM, reply.answer());
            Recorded<Numbered> recorded = new Recorded<>(id, FORM.in(trace), 1, start, end, reply);
            JournalEntry<Numbered> entry = new JournalEntry<>(shelf, recorded);
            entries.add(entry);
            shelf.put(entry);
        }
    }

    private static TraceId trace(int number) {
        return Objects.requireNonNull(TraceId.of("%032x".formatted(number + 1)));
    }
}
