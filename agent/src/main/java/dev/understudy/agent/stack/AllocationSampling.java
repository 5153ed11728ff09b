package dev.understudy.agent.stack;

import dev.understudy.agent.export.MissingModules;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Samples allocations as often as the operator wants, from the first time on that he wants any: before that there is
 * neither a thread nor a recording. Guarded by this object.
 */
public final class AllocationSampling {
    private final String name;
    private final BooleanSupplier paused;
    private final Consumer<Runnable> threads;
    private @Nullable AllocationSource source;
    private @Nullable AllocationBatchWriter batch;

    /**
     * One that takes none yet.
     *
     * @param name the agent's, for its batches
     * @param paused whether there is no budget now
     * @param threads runs what samples on a thread of its own
     */
    public AllocationSampling(String name, BooleanSupplier paused, Consumer<Runnable> threads) {
        this.name = name;
        this.paused = paused;
        this.threads = threads;
    }

    /**
     * From the next second on so many are taken in a second at most; 0 for none.
     *
     * @return what is in the way, or null
     */
    public synchronized @Nullable String limit(int perSecond) {
        if (perSecond > 0 && !AllocationSource.isPossible()) {
            return "allocations aren't sampled: this JVM has no flight recorder (expected: "
                    + MissingModules.remedy(List.of("jdk.jfr")) + ")";
        }
        AllocationSource running = source;
        if (running != null && !running.hasFailed()) {
            running.limit(perSecond);
        } else if (perSecond > 0) {
            AllocationSource begun = AllocationSource.of(perSecond, paused);
            source = begun;
            batch = new AllocationBatchWriter(name, begun, new AllocatedBytes());
            threads.accept(begun);
        }
        return null;
    }

    /**
     * All that was sampled since the last batch and is known by now, as JSON for the sidecar; empty if nothing is. To
     * be called about once a second.
     */
    public synchronized byte[] write() throws IOException {
        if (batch == null || source == null) {
            return new byte[0];
        }
        source.mark();
        return batch.write();
    }
}
