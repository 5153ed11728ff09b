package dev.understudy.session.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs checks side by side. Each has the same time; what takes longer is left behind, on a daemon thread. */
final class Examination {
    private Examination() {}

    /**
     * Runs all of them.
     *
     * @param limit for all together, since they begin at once
     * @return a finding for each, in their order
     */
    static List<HealthFinding> run(List<HealthCheck> checks, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        List<CompletableFuture<HealthFinding>> findings = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (HealthCheck check : checks) {
            CompletableFuture<HealthFinding> finding = new CompletableFuture<>();
            Thread thread = new Thread(() -> finding.complete(check.finding()), "doctor " + check.name());
            thread.setDaemon(true);
            thread.start();
            findings.add(finding);
            threads.add(thread);
        }
        List<HealthFinding> all = new ArrayList<>();
        for (int i = 0; i < checks.size(); i++) {
            all.add(await(checks.get(i).name(), findings.get(i), end - System.nanoTime(), limit));
            threads.get(i).interrupt();
        }
        return all;
    }

    private static HealthFinding await(
            String name, CompletableFuture<HealthFinding> finding, long nanos, Duration limit)
            throws InterruptedException {
        try {
            return finding.get(Math.max(nanos, 0), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return HealthFinding.warn(
                    name,
                    "no answer within " + limit.toSeconds() + " s",
                    "find out what hangs, or give it longer with --limit");
        } catch (ExecutionException failed) {
            return HealthFinding.warn(name, "can't be looked at: " + failed.getCause(), "look at it by hand");
        }
    }
}
