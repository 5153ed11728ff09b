package dev.understudy.sidecar.record;

import dev.understudy.relay.loop.Inbox;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What is in a file once it is finished, while connections go on. */
final class RecordingSwitchTest {
    private static final int PIECE = 32 << 10;
    /** Six megabytes: more than is on its way to the disk, and less than a lane holds. */
    private static final int PIECES = 192;

    @TempDir
    private Path folder;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
    private RecordingSwitch recording;
    private Tap tap;

    @BeforeEach
    void start() throws Exception {
        recording = new RecordingSwitch("web", true, folder, Long.MAX_VALUE, new Inbox(loops.next()));
        recording.start();
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere", 0);
        tap = Objects.requireNonNull(recording.open(new TapConnection(1, nowhere, nowhere, System.nanoTime())));
        tap.connected(System.nanoTime());
    }

    @AfterEach
    void close() {
        tap.closed(CloseReason.FINISHED, System.nanoTime());
        recording.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void finishedFile_hasAllThatWasTappedBefore_alsoWhatWasStillWaiting() throws Exception {
        send();

        assertThat(requestBytes(recording.finished())).containsExactly((long) PIECES * PIECE);
    }

    @Test
    void stoppedRecording_hasIt_too() throws Exception {
        send();
        recording.stop();

        assertThat(requestBytes(recording.finished())).containsExactly((long) PIECES * PIECE);
    }

    private void send() {
        for (int n = 0; n < PIECES; n++) {
            tap.data(Direction.REQUEST, Unpooled.wrappedBuffer(new byte[PIECE]), System.nanoTime());
        }
    }

    private static List<Long> requestBytes(List<Path> files) throws Exception {
        List<Long> bytes = new ArrayList<>();
        for (Path file : files) {
            for (Contents.Summary connection : Contents.read(file).connections()) {
                bytes.add(connection.requestBytes());
            }
        }
        return bytes;
    }
}
