package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.sidecar.label.ReplyFacts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Makes an input smaller as long as it fails. Confined to one thread. */
public final class Reducer {
    private static final int ASKED = 3;

    /** A failure that comes by chance is looked for so often before an input counts as passing. */
    private static final int TRIES = 8;

    private static final int MOST_NEEDS = 20;

    /** Sends an input. */
    @FunctionalInterface
    public interface Copy {
        ReplyFacts ask(HttpInput input) throws IOException, InterruptedException;
    }

    /** Is told how far it is: requests that were sent, and bytes of the input that was tried last. */
    @FunctionalInterface
    public interface Progress {
        void at(int requests, int bytes);
    }

    private final Copy copy;
    private final Predicate<ReplyFacts> fails;
    private final int mostAttempts;
    private final long end;
    private final Progress progress;
    private final List<Dimension> coarse = Stream.concat(HttpDimensions.all().stream(), JsonLevel.all().stream())
            .toList();
    private final List<Dimension> fine;
    private final int flakyTries;
    private final Map<ByteBuffer, Boolean> known = new HashMap<>();
    private final Map<String, Integer> cuts = new LinkedHashMap<>();
    private int attempts;
    private int requests;
    private int tries = 1;
    private boolean spent;

    /**
     * Sends nothing yet.
     *
     * @param copy what is asked
     * @param fails whether a reply is a failing one
     * @param mostAttempts how many inputs are sent at most, beside the first and last few
     * @param mostTime after which no further one is sent
     */
    Reducer(Copy copy, Predicate<ReplyFacts> fails, int mostAttempts, Duration mostTime, Progress progress) {
        this(copy, fails, mostAttempts, mostTime, progress, TextCharacters.all(), TRIES);
    }

    /**
     * One that leaves values whole, so that secrets keep the form by which they are known, and makes nothing smaller
     * that fails by chance.
     *
     * @param fails whether a reply is a failing one
     * @param mostAttempts how many inputs are sent at most, beside the first and last few
     * @param mostTime after which no further one is sent, but for the last few
     */
    public static Reducer ofWholeValues(
            Copy copy, Predicate<ReplyFacts> fails, int mostAttempts, Duration mostTime, Progress progress) {
        return new Reducer(copy, fails, mostAttempts, mostTime, progress, List.of(), 0);
    }

    private Reducer(
            Copy copy,
            Predicate<ReplyFacts> fails,
            int mostAttempts,
            Duration mostTime,
            Progress progress,
            List<Dimension> fine,
            int flakyTries) {
        this.fine = fine;
        this.flakyTries = flakyTries;
        this.copy = copy;
        this.fails = fails;
        this.mostAttempts = mostAttempts;
        this.end = System.nanoTime() + mostTime.toNanos();
        this.progress = progress;
    }

    /**
     * Sends the input again, and smaller ones, until nothing more can be left out or a limit is reached.
     *
     * @throws IOException if the copy can't be reached
     */
    public Reduction reduce(HttpInput recorded) throws IOException, InterruptedException {
        int failed = 0;
        ReplyFacts first = null;
        for (int n = 0; n < ASKED; n++) {
            ReplyFacts reply = send(recorded);
            boolean bad = fails.test(reply);
            first = first == null || (bad && failed == 0) ? reply.outline() : first;
            failed += bad ? 1 : 0;
        }
        if (first == null) {
            throw new IllegalStateException("nothing was asked");
        }
        if (failed == 0 || (failed < ASKED && flakyTries == 0)) {
            return new Reduction(ASKED, failed, first, recorded, recorded, 0, List.of(), List.of(), requests, false);
        }
        tries = failed < ASKED ? flakyTries : 1;
        HttpInput smallest = recorded;
        for (int before = Integer.MAX_VALUE; smallest.size() < before && !spent; ) {
            before = smallest.size();
            for (Dimension dimension : coarse) {
                smallest = by(dimension, smallest);
            }
            for (Dimension dimension : fine) {
                smallest = by(dimension, smallest);
            }
        }
        int confirmed = 0;
        for (int n = 0; n < ASKED; n++) {
            confirmed += fails.test(send(smallest)) ? 1 : 0;
        }
        List<Reduction.Cut> left = cuts.entrySet().stream()
                .map(cut -> new Reduction.Cut(cut.getKey(), cut.getValue()))
                .toList();
        return new Reduction(
                ASKED, failed, first, recorded, smallest, confirmed, left, needs(smallest), requests, spent);
    }

    private HttpInput by(Dimension dimension, HttpInput input) throws IOException, InterruptedException {
        int count = dimension.count(input);
        if (count == 0 || spent) {
            return input;
        }
        BitSet all = new BitSet();
        all.set(0, count);
        HttpInput whole = dimension.keep(input, all);
        if (!digest(whole).equals(digest(input)) && !fails(whole)) {
            return input; // how it is written matters
        }
        BitSet kept = DeltaDebugging.minimize(count, some -> fails(dimension.keep(input, some)));
        int cut = count - kept.cardinality();
        if (cut == 0) {
            return input;
        }
        cuts.merge(dimension.name(), cut, Integer::sum);
        return dimension.keep(input, kept);
    }

    private boolean fails(HttpInput input) throws IOException, InterruptedException {
        ByteBuffer key = digest(input);
        Boolean before = known.get(key);
        if (before != null) {
            return before;
        }
        spent |= attempts >= mostAttempts || isLate();
        if (spent) {
            return false;
        }
        attempts++;
        boolean bad = false;
        for (int n = 0; n < tries && !bad && (n == 0 || !isLate()); n++) {
            bad = fails.test(send(input));
        }
        known.put(key, bad);
        progress.at(requests, input.size());
        return bad;
    }

    private boolean isLate() {
        return System.nanoTime() - end > 0;
    }

    private ReplyFacts send(HttpInput input) throws IOException, InterruptedException {
        requests += input.earlier().size() + 1;
        return copy.ask(input);
    }

    /** The parts of the smallest input, and what the copy answers without each. */
    private List<Reduction.Need> needs(HttpInput smallest) throws IOException, InterruptedException {
        List<Reduction.Need> needs = new ArrayList<>();
        int looked = 0;
        for (Dimension dimension : coarse) {
            int count = dimension.count(smallest);
            for (int part = 0; part < count && looked < MOST_NEEDS && !isLate(); part++) {
                if (!dimension.isLeaf(smallest, part)) {
                    continue;
                }
                BitSet others = new BitSet();
                others.set(0, count);
                others.clear(part);
                looked++;
                HttpInput without = dimension.keep(smallest, others);
                ReplyFacts reply = send(without);
                if (!fails.test(reply)) {
                    needs.add(new Reduction.Need(dimension.describe(smallest, part), without, reply.outline()));
                }
            }
        }
        return needs;
    }

    /** By which an input is known again, however large it is. */
    private static ByteBuffer digest(HttpInput input) {
        MessageDigest digest = Sha256.digest();
        input.earlier().forEach(call -> digest.update(call.bytes()));
        return ByteBuffer.wrap(digest.digest(input.last().bytes()));
    }
}
