package dev.understudy.session.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.renewal.CloneWebhook;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.TlsUse;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The session's sidecar: production's new clients pass through it, and the copy gets what they send. */
public final class SidecarProgram {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String READY = "understudy sidecar ready:";
    /** What stands for the control port where the lane process took too long. */
    private static final String NOT_YET = "not-ready-yet";

    private static final Pattern LISTENER = Pattern.compile("(\\S+)=(\\S+)");

    private final SupportProgram program;
    private final Map<InetSocketAddress, InetSocketAddress> ports;
    private final InetSocketAddress control;
    private final InetSocketAddress health;
    private final CloneWebhook webhook;

    private SidecarProgram(
            SupportProgram program,
            Map<InetSocketAddress, InetSocketAddress> ports,
            InetSocketAddress control,
            InetSocketAddress health,
            CloneWebhook webhook) {
        this.webhook = webhook;
        this.program = program;
        this.ports = ports;
        this.control = control;
        this.health = health;
    }

    /**
     * Starts it with all tees off, and waits until it serves.
     *
     * @param aggregator the session's; null if the service has no upstream
     * @throws ProgramFailure if it doesn't serve; the message names its log
     */
    public static SidecarProgram start(
            ProgramPlace place,
            List<ListeningPort> listening,
            CloneWorld world,
            CopyState state,
            @Nullable AggregatorProgram aggregator,
            SessionTokens tokens,
            SidecarDuties duties,
            Ledger ledger)
            throws ProgramFailure, InterruptedException {
        CloneWebhook webhook = null;
        boolean isServing = false;
        try {
            webhook = CloneWebhook.open(duties.renewal().pause());
            Path settings = place.write(
                    "sidecar.yaml",
                    settings(
                            listening,
                            world,
                            state,
                            aggregator == null ? null : aggregator.control(),
                            tokens,
                            duties.drain(),
                            duties.renewal().settings(webhook.address()),
                            recordSection(place, duties.recording()),
                            sources(place, duties.sources())));
            SupportProgram program = SupportProgram.start(
                    "sidecar",
                    place.command(
                            List.of("-Xmx256m", "--enable-native-access=ALL-UNNAMED"),
                            place.files().sidecar(),
                            List.of("sidecar", "--config", settings.toString())),
                    place.environment(),
                    place.directory(),
                    ledger);
            try {
                SidecarProgram sidecar = of(program, listening, webhook, program.awaitLine(READY, PATIENCE));
                isServing = true;
                return sidecar;
            } catch (ProgramFailure | InterruptedException | RuntimeException notReady) {
                program.close();
                throw notReady;
            }
        } catch (IOException unwritable) {
            throw new ProgramFailure("the sidecar's settings can't be written: " + unwritable.getMessage(), unwritable);
        } finally {
            if (!isServing && webhook != null) {
                webhook.close();
            }
        }
    }

    private static SidecarProgram of(
            SupportProgram program, List<ListeningPort> listening, CloneWebhook webhook, String ready)
            throws ProgramFailure {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        Matcher each = LISTENER.matcher(ready);
        while (each.find()) {
            if (!each.group(2).equals(NOT_YET)) {
                addresses.put(each.group(1), AddressText.parse(each.group(2)));
            }
        }
        Map<InetSocketAddress, InetSocketAddress> ports = new LinkedHashMap<>();
        for (ListeningPort port : listening) {
            ports.put(port.address(), known(addresses, name(port), ready));
        }
        return new SidecarProgram(
                program,
                Map.copyOf(ports),
                known(addresses, "control", ready),
                known(addresses, "health", ready),
                webhook);
    }

    private static InetSocketAddress known(Map<String, InetSocketAddress> addresses, String name, String ready)
            throws ProgramFailure {
        InetSocketAddress address = addresses.get(name);
        if (address == null) {
            throw new ProgramFailure("sidecar: ready without " + name + ":" + ready);
        }
        return address;
    }

    /** Where a session's sidecar keeps its recordings. */
    public static Path recordings(ProgramPlace place) {
        return place.own().resolve("recordings");
    }

    private static Map<String, Object> recordSection(ProgramPlace place, @Nullable RecordingLimits recording) {
        return recording == null
                ? Map.of()
                : Map.of("directory", recordings(place).toString(), "max-size", Long.toString(recording.fileBytes()));
    }

    /** The sidecar's user may not be able to read the folders themselves. */
    private static List<String> sources(ProgramPlace place, List<SourceArchive> archives) throws IOException {
        List<String> written = new ArrayList<>();
        for (SourceArchive archive : archives) {
            String name = "sources-" + (written.size() + 1) + ".zip";
            written.add(place.write(name, archive.bytes()).toString());
        }
        return written;
    }

    /** JSON is YAML, too. */
    static byte[] settings(
            List<ListeningPort> listening,
            CloneWorld world,
            CopyState state,
            @Nullable InetSocketAddress aggregator,
            SessionTokens tokens,
            Duration drain,
            Map<String, Object> resync,
            Map<String, Object> record,
            List<String> sources)
            throws JsonProcessingException {
        List<Object> listeners = new ArrayList<>();
        for (ListeningPort port : listening) {
            InetAddress bound = port.address().getAddress();
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", name(port));
            // a redirect ends at an address of this machine's, which may be any where production listens on all
            entry.put("listen", AddressText.of(bound, 0));
            entry.put(
                    "production",
                    AddressText.of(
                            bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound,
                            port.address().getPort()));
            entry.put(
                    "debug",
                    Map.of(
                            "address",
                            AddressText.of(world.entrance(port.address())),
                            "copy",
                            state.name().toLowerCase(Locale.ROOT)));
            // what is encrypted is carried, and can't be compared
            entry.put("protocol", port.tls() == TlsUse.YES ? "tcp" : port.protocol());
            entry.put("tee", "off");
            listeners.add(entry);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("listeners", listeners);
        document.put("drain", drain.toSeconds() + "s");
        document.put("resync", resync);
        document.put("control", ControlSettings.of(world.ours(), tokens));
        document.put("tap", Map.of("health", AddressText.of(world.ours(), 0), "lane-java-options", "-Xmx1g"));
        if (!record.isEmpty()) {
            document.put("record", record);
        }
        if (!sources.isEmpty()) {
            document.put("sources", sources);
        }
        if (aggregator != null) {
            document.put("aggregator", Map.of("url", "http://" + AddressText.of(aggregator), "token", tokens.admin()));
        }
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(document);
    }

    /** What the listener for a port of production's is called. */
    public static String name(ListeningPort port) {
        return "port-" + port.address().getPort();
    }

    /** Where clients of each of production's ports are relayed, by that port's address. */
    public Map<InetSocketAddress, InetSocketAddress> ports() {
        return ports;
    }

    /** Its control port, at this machine's end of the copy's world. */
    public InetSocketAddress control() {
        return control;
    }

    /** Where it answers as long as it relays, whatever its lane process does. */
    public InetSocketAddress health() {
        return health;
    }

    /** Where it asks for a fresh copy. */
    public CloneWebhook webhook() {
        return webhook;
    }

    /** Its process. */
    public SupportProgram program() {
        return program;
    }
}
