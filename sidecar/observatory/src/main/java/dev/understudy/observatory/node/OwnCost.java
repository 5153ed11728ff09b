package dev.understudy.observatory.node;

import dev.understudy.observatory.node.kernel.Counters;
import dev.understudy.observatory.node.kernel.KernelFile;
import dev.understudy.observatory.node.kernel.KernelText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What sampling itself takes of a processor, as the kernel counts it for the sampling thread. There is a message when
 * that is more than it should be, for some machines' files are long.
 */
final class OwnCost implements AutoCloseable {
    static final String METRIC = "sampler.busy";

    /** More than this share of one processor is too much beside production. */
    static final double MOST = 0.01;

    /** What the first classes and compilations take doesn't count. */
    private static final long WARM_UP = 30_000_000_000L;

    private final @Nullable KernelFile file;
    private final KernelText text = new KernelText();
    private final Counters nanos = new Counters(1);
    private final Duration every;
    private final Consumer<String> tooMuch;
    private double sum;
    private double seconds;
    private long since;

    OwnCost(Path proc, Duration every, Consumer<String> tooMuch) {
        this.every = every;
        this.tooMuch = tooMuch;
        KernelFile opened = null;
        try {
            opened = KernelFile.open(proc.resolve("thread-self/schedstat"));
        } catch (IOException | UnsupportedOperationException none) {
            // older kernels: then it isn't known
        }
        file = opened;
    }

    /** The share since the call before; NaN if it isn't known. */
    double share(double interval) {
        nanos.next();
        if (file == null) {
            return Double.NaN;
        }
        try {
            file.read(text);
        } catch (IOException gone) {
            return Double.NaN;
        }
        if (text.nextLine()) {
            nanos.set(0, text.number());
        }
        double share = nanos.rise(0) / 1e9 / interval;
        if (!Double.isNaN(share)) {
            sum += share * interval;
            seconds += interval;
        }
        return share;
    }

    /** Says so if it was too much; for once a second. */
    void check(long now) {
        if (since == 0) {
            since = now;
        }
        if (now - since < WARM_UP) {
            return;
        }
        double share = seconds > 0 ? sum / seconds : 0;
        if (share > MOST) {
            tooMuch.accept("sampling takes " + Math.round(share * 1000) / 10.0 + " % of a processor at "
                    + every.toMillis() + " ms (expected: up to 1 %): a longer --every or fewer --process take less");
        }
        since = now;
        sum = 0;
        seconds = 0;
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
