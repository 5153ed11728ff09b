package dev.understudy.sidecar.resync;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.replay.Outcome;
import dev.understudy.sidecar.replay.Replay;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Plays a recording to the debug JVM, as fast as it answers: from the snapshot it stands at to where input goes on. */
record ReplayStep(String recording, Masking masking) implements Step {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Override
    public void run(Occasion occasion) throws IOException, InterruptedException {
        if (!(occasion.address() instanceof InetSocketAddress address)) {
            throw new IOException("recordings can't be played to " + occasion.address());
        }
        Path file = Path.of(recording);
        List<Contents.Summary> all = List.copyOf(Contents.read(file).connections());
        if (all.isEmpty()) {
            return;
        }
        InetSocketAddress to = new InetSocketAddress(address.getHostString(), address.getPort());
        Outcome outcome = Replay.run(file, all, to, Double.POSITIVE_INFINITY, PATIENCE, masking);
        if (outcome.failed() > 0) {
            throw new IOException(outcome.failed() + " of " + all.size() + " connections of " + file
                    + " couldn't be played: " + String.join("; ", outcome.told()));
        }
    }
}
