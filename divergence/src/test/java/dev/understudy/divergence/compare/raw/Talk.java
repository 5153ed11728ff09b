package dev.understudy.divergence.compare.raw;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One connection as it is said to a comparison, with what came of its turns. */
final class Talk {
    final List<String> turns = new ArrayList<>();
    final List<Verdict> verdicts = new ArrayList<>();
    final List<RawRequest> asks = new ArrayList<>();
    final List<@Nullable RawAnswer> answers = new ArrayList<>();
    final RawComparison comparison;

    /** The time of all that is said next. */
    long now;

    long used;
    private final @Nullable Random splits;
    private int untold;

    Talk() {
        this(1 << 20, Long.MAX_VALUE, null);
    }

    /** @param splits cuts what is said into parts; null for none */
    Talk(int most, long capacity, @Nullable Random splits) {
        this.splits = splits;
        this.comparison = new RawComparison(most, room(capacity), this::turn);
    }

    private ByteBudget room(long capacity) {
        return new ByteBudget() {
            @Override
            public boolean tryReserve(long bytes) {
                boolean fits = used + bytes <= capacity;
                used += fits ? bytes : 0;
                return fits;
            }

            @Override
            public void release(long bytes) {
                used -= bytes;
            }
        };
    }

    private void turn(RawRequest asked, @Nullable RawAnswer answer, Verdict verdict) {
        String what = verdict.kind() + (verdict.reason() == null ? "" : " " + verdict.reason());
        turns.add(asked.number() + " " + (asked.word() + " " + asked.bytes()).strip() + " " + what);
        verdicts.add(verdict);
        asks.add(asked);
        answers.add(answer);
    }

    /** The client says it, and debug is told. */
    Talk asks(String text) {
        return client(text).tells();
    }

    Talk client(String text) {
        long arrived = now;
        for (ByteBuffer part : parts(text)) {
            comparison.client(part, arrived++);
        }
        untold += text.length();
        return this;
    }

    /** Debug is told all that the client has said. */
    Talk tells() {
        return tells(untold);
    }

    Talk tells(int length) {
        int left = length;
        untold -= length;
        while (left > 0) {
            int part = splits == null ? left : 1 + splits.nextInt(left);
            comparison.told(part, now);
            left -= part;
        }
        return this;
    }

    Talk production(String text) {
        parts(text).forEach(comparison::production);
        return this;
    }

    Talk debug(String text) {
        parts(text).forEach(part -> comparison.debug(part, now));
        return this;
    }

    Talk both(String text) {
        return production(text).debug(text);
    }

    /** Each side ends what it says in good order, and then the client leaves. */
    Talk ends() {
        comparison.productionEnd();
        comparison.debugEnd();
        comparison.clientEnd();
        comparison.toldEnd();
        comparison.debugOver(NotCompared.NO_DEBUG_REPLY);
        comparison.productionOver(null);
        return this;
    }

    Difference difference() {
        return verdicts.stream()
                .flatMap(verdict -> verdict.differences().stream())
                .findFirst()
                .orElseThrow();
    }

    private List<ByteBuffer> parts(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        List<ByteBuffer> parts = new ArrayList<>();
        int from = 0;
        while (from < bytes.length) {
            int length = splits == null ? bytes.length : 1 + splits.nextInt(bytes.length - from);
            parts.add(ByteBuffer.wrap(bytes, from, length));
            from += length;
        }
        return parts;
    }
}
