package dev.understudy.sidecar;

import dev.understudy.relay.loop.Inbox;
import dev.understudy.relay.stream.OwnerOnly;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.sidecar.config.RecordConfig;
import dev.understudy.sidecar.record.RecordingSwitch;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The recording switches of all listeners, and the one thread on which what they record is written down. */
final class Recordings implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Recordings.class);

    private final RecordConfig config;
    private final @Nullable Path directory;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("understudy-recording", true), LocalIoHandler.newFactory());
    private final Inbox inbox = new Inbox(loop.next());
    private final List<RecordingSwitch> switches = new ArrayList<>();

    private Recordings(RecordConfig config, @Nullable Path directory) {
        this.config = config;
        this.directory = directory;
    }

    /**
     * Records nothing yet.
     *
     * @throws IOException if the directory isn't there and can't be made
     */
    static Recordings open(RecordConfig config) throws IOException {
        if (config.directory().isEmpty()) {
            return new Recordings(config, null);
        }
        Path directory = Path.of(config.directory());
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(directory, OwnerOnly.directory());
            }
        } catch (IOException notToBeHad) {
            throw new IOException("record.directory: " + directory + " can't be used: " + notToBeHad, notToBeHad);
        }
        return new Recordings(config, directory);
    }

    /**
     * That of one listener; on already if {@code on}.
     *
     * @param cut the file that an earlier process was still writing when it ended; "" for none
     */
    RecordingSwitch of(String listener, boolean framed, boolean on, String cut) throws IOException {
        RecordingSwitch made = new RecordingSwitch(listener, framed, directory, config.maxSize(), inbox);
        if (!cut.isEmpty()) {
            LOG.warn(
                    "listener {}: the recording to {} ended with the lane process; {}",
                    listener,
                    cut,
                    on ? "it goes on in a new file" : "it must be started again");
            made.cut(cut);
        }
        switches.add(made);
        if (on) {
            made.start();
        }
        return made;
    }

    /** The taps of {@code tee}, and beside them those of the recording; as it is where nothing can be recorded. */
    static TapFactory beside(TapFactory tee, RecordingSwitch recording) {
        return recording.possible() ? new Both(tee, recording) : tee;
    }

    /** Stops all, and waits for some seconds for their files to be closed. */
    @Override
    public void close() {
        switches.forEach(RecordingSwitch::stop);
        switches.forEach(RecordingSwitch::close);
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private record Both(TapFactory tee, TapFactory beside) implements TapFactory {
        @Override
        public @Nullable Tap open(TapConnection connection) {
            return tee.open(connection);
        }

        @Override
        public int epoch() {
            return tee.epoch();
        }

        @Override
        public @Nullable Tap join(TapConnection connection, boolean untouched) {
            return tee.join(connection, untouched);
        }

        @Override
        public void unjoined(TapConnection connection) {
            tee.unjoined(connection);
        }
    }
}
