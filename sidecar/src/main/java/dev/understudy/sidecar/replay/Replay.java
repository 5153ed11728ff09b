package dev.understudy.sidecar.replay;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.http.HttpDialect;
import dev.understudy.sidecar.record.Contents;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sends a recording again, with as many connections at a time as it had. */
public final class Replay {
    private static final int IDENTITIES = 20_000;

    private Replay() {}

    /**
     * Replays one connection of {@code file} up to an exchange that is wanted of it, and compares that one's reply.
     *
     * @throws IOException if the file can't be read or is no recording, or the exchange isn't there; then nothing was
     *     sent
     */
    public static Outcome upTo(
            ReplayFilter wanted,
            Path file,
            Contents.Summary connection,
            InetSocketAddress to,
            double speed,
            Duration patience,
            Masking masking)
            throws IOException, InterruptedException {
        return run(file, List.of(connection), wanted, to, speed, patience, masking, List.of());
    }

    /**
     * Replays connections of {@code file} to {@code to} and waits for their end.
     *
     * @param chosen at least one
     * @param speed 1 for the recorded pace, more for faster; infinite for at once. A request never goes before the
     *     replies that its connection had by then have come as far
     * @param patience how long that is waited for
     * @param masking what isn't told of differences
     * @param noise what may differ
     * @throws IOException if the file can't be read or is no recording
     */
    public static Outcome run(
            Path file,
            List<Contents.Summary> chosen,
            InetSocketAddress to,
            double speed,
            Duration patience,
            Masking masking,
            List<NoiseRule> noise)
            throws IOException, InterruptedException {
        return run(file, chosen, null, to, speed, patience, masking, noise);
    }

    /** The same, where nothing may differ. */
    public static Outcome run(
            Path file,
            List<Contents.Summary> chosen,
            InetSocketAddress to,
            double speed,
            Duration patience,
            Masking masking)
            throws IOException, InterruptedException {
        return run(file, chosen, to, speed, patience, masking, List.of());
    }

    private static Outcome run(
            Path file,
            List<Contents.Summary> chosen,
            @Nullable ReplayFilter wanted,
            InetSocketAddress to,
            double speed,
            Duration patience,
            Masking masking,
            List<NoiseRule> noise)
            throws IOException, InterruptedException {
        Outcome outcome = new Outcome();
        ComparisonRules compared = ComparisonRules.defaults();
        NoiseRules overlooked = new NoiseRules(noise, compared.maxDifferences());
        IdentityMap identities = new IdentityMap(IDENTITIES);
        Dialect dialect = new HttpDialect(new HttpComparison(compared, identities), identities);
        ExecutorService threads = Executors.newCachedThreadPool();
        Semaphore places = new Semaphore(mostAtATime(chosen));
        try (RecordingReader recording = RecordingReader.open(file)) {
            Pace pace = new Pace(first(chosen), speed);
            for (Contents.Summary summary : chosen) {
                ReplayTarget target = wanted == null ? null : ReplayTarget.find(recording, summary, dialect, wanted);
                pace.await(summary.firstNanos());
                places.acquire();
                Replies replies = new Replies(summary.id(), dialect, overlooked, masking, outcome, target);
                ReplayedConnection connection =
                        new ReplayedConnection(recording, summary, to, pace, patience.toMillis(), replies, target);
                threads.execute(() -> play(connection, summary.id(), outcome, places));
            }
            threads.shutdown();
            threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } finally {
            threads.shutdownNow();
        }
        return outcome;
    }

    private static void play(ReplayedConnection connection, long id, Outcome outcome, Semaphore places) {
        try {
            outcome.replayed(connection.play());
        } catch (IOException | RuntimeException failed) {
            outcome.failed(id, failed.toString());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (Error failed) {
            // a connection that nobody compared is no connection that was the same
            outcome.failed(id, failed.toString());
            throw failed;
        } finally {
            places.release();
        }
    }

    private static long first(List<Contents.Summary> chosen) {
        return chosen.stream().mapToLong(Contents.Summary::firstNanos).min().orElseThrow();
    }

    static int mostAtATime(Collection<Contents.Summary> connections) {
        List<long[]> changes = new ArrayList<>();
        for (Contents.Summary summary : connections) {
            changes.add(new long[] {summary.firstNanos(), 1});
            changes.add(new long[] {summary.lastNanos(), -1});
        }
        changes.sort((a, b) -> a[0] == b[0] ? Long.signum(b[1] - a[1]) : Long.signum(a[0] - b[0]));
        int open = 0;
        int most = 1;
        for (long[] change : changes) {
            open += (int) change[1];
            most = Math.max(most, open);
        }
        return most;
    }
}
