package dev.understudy.session.clone.process;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.network.CloneWorld;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A network namespace with a loopback device and no way out. */
final class TestNetwork implements AutoCloseable {
    final String name = "understudy-clone-"
            + Integer.toHexString(ThreadLocalRandom.current().nextInt(1 << 24));

    TestNetwork() throws Exception {
        run("ip", "netns", "add", name);
        run("ip", "-n", name, "link", "set", "lo", "up");
    }

    CloneWorld world() {
        return new CloneWorld(name, InetAddress.getLoopbackAddress(), InetAddress.getLoopbackAddress());
    }

    @Override
    public void close() throws IOException {
        run("ip", "netns", "del", name);
    }

    static void run(String... command) throws IOException {
        HostCommand.Result result;
        try {
            result = HostCommand.run(Duration.ofSeconds(20), List.of(command));
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
        if (!result.isFine()) {
            throw new IllegalStateException(String.join(" ", command) + ": " + result.output());
        }
    }
}
