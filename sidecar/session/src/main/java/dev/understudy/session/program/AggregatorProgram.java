package dev.understudy.session.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UpstreamAddress;
import dev.understudy.sidecar.command.control.ControlClient;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The session's aggregator: production's new upstream connections pass through it, and the copy's end in it. */
public final class AggregatorProgram {
    private static final Duration LIVE_WAIT = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String READY = "understudy aggregator ready:";
    private static final Pattern UPSTREAM = Pattern.compile(" (\\S+) production=(\\S+) debug=([^\\s,]+),?");
    private static final Pattern CONTROL = Pattern.compile(" control=(\\S+) health=(\\S+)");

    private final SupportProgram program;
    private final Map<InetSocketAddress, Ports> ports;
    private final InetSocketAddress control;
    private final InetSocketAddress health;

    /**
     * Where an upstream is answered.
     *
     * @param production for production's connections, which go on to the upstream
     * @param debug for the copy's, which get recorded replies only
     */
    public record Ports(InetSocketAddress production, InetSocketAddress debug) {}

    private AggregatorProgram(
            SupportProgram program,
            Map<InetSocketAddress, Ports> ports,
            InetSocketAddress control,
            InetSocketAddress health) {
        this.program = program;
        this.ports = ports;
        this.control = control;
        this.health = health;
    }

    /**
     * Starts it, and waits until it serves.
     *
     * @param upstreams those that the copy can reach
     * @param listening where production listens; null if that isn't known yet
     * @param drain how long production's connections may go on once it is released
     * @throws ProgramFailure if it doesn't serve; the message names its log
     */
    public static AggregatorProgram start(
            ProgramPlace place,
            List<UpstreamAddress> upstreams,
            CloneWorld world,
            @Nullable List<ListeningPort> listening,
            SessionTokens tokens,
            Duration drain,
            Ledger ledger)
            throws ProgramFailure, InterruptedException {
        try {
            Path settings = place.write("aggregator.yaml", settings(upstreams, world, listening, tokens, drain));
            SupportProgram program = SupportProgram.start(
                    "aggregator",
                    place.command(
                            List.of("-Xmx256m"), place.files().aggregator(), List.of("--config", settings.toString())),
                    place.environment(),
                    place.directory(),
                    ledger);
            try {
                return of(program, upstreams, program.awaitLine(READY, PATIENCE));
            } catch (ProgramFailure | InterruptedException | RuntimeException notReady) {
                program.close();
                throw notReady;
            }
        } catch (IOException unwritable) {
            throw new ProgramFailure(
                    "the aggregator's settings can't be written: " + unwritable.getMessage(), unwritable);
        }
    }

    private static AggregatorProgram of(SupportProgram program, List<UpstreamAddress> upstreams, String ready)
            throws ProgramFailure {
        Map<InetSocketAddress, Ports> ports = new LinkedHashMap<>();
        Matcher each = UPSTREAM.matcher(ready);
        for (UpstreamAddress upstream : upstreams) {
            if (!each.find()) {
                throw new ProgramFailure("aggregator: ready for fewer upstreams than there are:" + ready);
            }
            ports.put(
                    upstream.address(), new Ports(AddressText.parse(each.group(2)), AddressText.parse(each.group(3))));
        }
        Matcher control = CONTROL.matcher(ready);
        if (!control.find()) {
            throw new ProgramFailure("aggregator: ready without a control port:" + ready);
        }
        return new AggregatorProgram(
                program, Map.copyOf(ports), AddressText.parse(control.group(1)), AddressText.parse(control.group(2)));
    }

    /** JSON is YAML, too. */
    static byte[] settings(
            List<UpstreamAddress> upstreams,
            CloneWorld world,
            @Nullable List<ListeningPort> listening,
            SessionTokens tokens,
            Duration drain)
            throws IOException {
        List<Object> entries = new ArrayList<>();
        for (UpstreamAddress upstream : upstreams) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put(
                    "name",
                    "upstream-" + (entries.size() + 1) + "-"
                            + upstream.address().getPort());
            // what is encrypted is carried, and can't be answered
            entry.put("protocol", upstream.tls() == TlsUse.YES ? "tcp" : upstream.protocol());
            entry.put(
                    "production",
                    Map.of(
                            "listen",
                            // a redirect of a connection that begins here ends at loopback
                            AddressText.of(loopback(upstream.address().getAddress()), 0),
                            "upstream",
                            AddressText.of(upstream.address())));
            InetAddress gate = Objects.requireNonNull(
                    world.oursFor(upstream.address().getAddress()), "an upstream that the copy can't reach");
            if (upstream.isLive()) {
                // what production's old connections carry isn't recorded: no use to wait for that each time
                entry.put("miss", "live");
                entry.put("wait", LIVE_WAIT.toMillis() + "ms");
            }
            // a server whose connections are recorded speaks no TLS; the copy needn't either
            Map<String, Object> debug = new LinkedHashMap<>();
            debug.put("listen", AddressText.of(gate, 0));
            debug.put("tls", false);
            int port = upstream.address().getPort();
            if (listening != null
                    && listening.stream().noneMatch(own -> own.address().getPort() == port)) {
                // a copy that calls itself at the same port could have the same port at its end, too
                debug.put("dialled-port", port);
            }
            entry.put("debug", debug);
            entries.add(entry);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("upstreams", entries);
        document.put("drain", drain.toSeconds() + "s");
        document.put("control", ControlSettings.of(world.ours(), tokens));
        document.put("tap", Map.of("health", AddressText.of(world.ours(), 0), "recorder-java-options", "-Xmx512m"));
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(document);
    }

    private static InetAddress loopback(InetAddress like) throws UnknownHostException {
        return InetAddress.getByName(like instanceof Inet6Address ? "::1" : "127.0.0.1");
    }

    /** Where each upstream is answered, by its own address. */
    public Map<InetSocketAddress, Ports> ports() {
        return ports;
    }

    /**
     * What became so far of those of the copy's requests that no recorded reply answered.
     *
     * @param missed how many got an error
     * @param live how many reads the real upstreams answered
     * @param notLetThrough of those missed, how many live upstreams didn't get, as they aren't known to only read
     */
    public record CopyCalls(long missed, long live, long notLetThrough) {
        /** A copy that asks no upstream. */
        public static final CopyCalls NONE = new CopyCalls(0, 0, 0);
    }

    /**
     * What it counts of the copy's requests.
     *
     * @throws IOException if it doesn't answer
     */
    public CopyCalls calls(SessionTokens tokens) throws IOException, InterruptedException {
        JsonNode status = ControlClient.ofAggregator(URI.create("http://" + AddressText.of(control)), tokens.admin())
                .get("/v1/status");
        long missed = 0;
        long live = 0;
        long notLetThrough = 0;
        for (JsonNode upstream : status.path("upstreams")) {
            JsonNode debug = upstream.path("debug");
            missed += debug.path("missed").asLong();
            live += debug.path("live").path("answered").asLong();
            notLetThrough += debug.path("live").path("refused").asLong();
        }
        return new CopyCalls(missed, live, notLetThrough);
    }

    /** Forgets replies that were recorded so many nanoseconds ago, or earlier. */
    public void forget(SessionTokens tokens, long age) throws IOException, InterruptedException {
        ControlClient.ofAggregator(URI.create("http://" + AddressText.of(control)), tokens.admin())
                .post("/v1/forget", Map.of("olderThanMillis", Math.max(0, age) / 1_000_000));
    }

    /** Its control port, at this machine's end of the copy's world. */
    public InetSocketAddress control() {
        return control;
    }

    /** Where it answers as long as it relays. */
    public InetSocketAddress health() {
        return health;
    }

    /** Its process. */
    public SupportProgram program() {
        return program;
    }
}
