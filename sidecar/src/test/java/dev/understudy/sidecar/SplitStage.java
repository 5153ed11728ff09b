package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.ring.ControlBlock;
import dev.understudy.relay.ring.PublishedRelay;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** A sidecar in two processes, between a production and a debug server that follow the same script. */
final class SplitStage implements AutoCloseable {
    final SidecarProgram sidecar;
    private final Path rings;
    private final PlainServer production;
    private final PlainServer debug;

    private SplitStage(SidecarProgram sidecar, Path rings, PlainServer production, PlainServer debug) {
        this.sidecar = sidecar;
        this.rings = rings;
        this.production = production;
        this.debug = debug;
    }

    /** Its listener is called shop. */
    static SplitStage open(Path folder, PlainServer.Script script, String ring) throws IOException {
        PlainServer production = PlainServer.open(script);
        PlainServer debug = PlainServer.open(script);
        Path rings = folder.resolve("tap");
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{name: shop, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}]
                tap: {carrier: ring, ring: %s, directory: '%s', health: '127.0.0.1:0', lane-nice: 0,
                  lane-java-options: '-Xmx128m -XX:TieredStopAtLevel=1'}
                window: {overflow: shed}
                control: {listen: '127.0.0.1:0', anonymous: admin}
                drain: 2s
                """.formatted(
                        production.address().getPort(), debug.address().getPort(), ring, rings));
        return new SplitStage(SidecarProgram.start(settings), rings, production, debug);
    }

    /** A client of the listener. */
    Socket connect() throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), sidecar.port("shop"));
        client.setSoTimeout(10_000);
        return client;
    }

    /** Where rings and control blocks are. */
    Path rings() {
        return rings;
    }

    /** The lane process, unless there is none just now. */
    Optional<ProcessHandle> lanes() {
        return sidecar.process.toHandle().children().findFirst();
    }

    /** Sends the lane process a signal; says which process that was. */
    long signalLanes(String name) throws IOException, InterruptedException {
        long lanes = lanes().orElseThrow().pid();
        signal(name, lanes);
        return lanes;
    }

    static void signal(String name, long pid) throws IOException, InterruptedException {
        List<String> command = List.of("kill", "-" + name, Long.toString(pid));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    /** What the lane process says of the listener. */
    JsonNode status() throws IOException {
        return get("/v1/status").at("/listeners/0");
    }

    /** A document of the lane process. */
    JsonNode get(String path) throws IOException {
        return new ObjectMapper().readTree(text(path));
    }

    String text(String path) throws IOException {
        URI uri = URI.create("http://" + sidecar.address("control") + path);
        try (InputStream text = uri.toURL().openStream()) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** What both processes say to each other beside the rings. */
    ControlBlock control() throws IOException {
        try (Stream<Path> taps = Files.list(rings)) {
            return ControlBlock.open(taps.findFirst().orElseThrow().resolve("control"));
        }
    }

    /** What the tap process says of the listener, whoever lives. */
    PublishedRelay published() throws IOException {
        return new PublishedRelay(control(), 0);
    }

    @Override
    public void close() throws IOException {
        sidecar.close();
        production.close();
        debug.close();
    }
}
