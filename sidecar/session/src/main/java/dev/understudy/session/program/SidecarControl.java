package dev.understudy.session.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.sidecar.command.Main;
import dev.understudy.sidecar.command.control.ControlClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** What a session asks of its sidecar. Not for several threads at once. */
public final class SidecarControl {
    private static final int LONGEST_WORDS = 500;

    private final URI base;
    private final String token;
    private final ControlClient client;

    private SidecarControl(URI base, String token, ControlClient client) {
        this.base = base;
        this.token = token;
        this.client = client;
    }

    /** The control of a sidecar. */
    public static SidecarControl of(SidecarProgram sidecar, SessionTokens tokens) throws IOException {
        return at(URI.create("http://" + AddressText.of(sidecar.control())), tokens);
    }

    static SidecarControl at(URI base, SessionTokens tokens) throws IOException {
        return new SidecarControl(base, tokens.admin(), ControlClient.ofSidecar(base, tokens.admin()));
    }

    /** Where it listens. */
    public URI base() {
        return base;
    }

    /**
     * Turns the tees of all listeners to {@code on}, {@code paused} or {@code off}.
     *
     * @throws IOException if the sidecar doesn't do it; the message says why
     */
    public void tee(List<ListeningPort> listening, String mode) throws IOException, InterruptedException {
        put(listening, Map.of("mode", mode));
    }

    /** Has all listeners keep what clients send from now on, until the moment of a snapshot is known. */
    public void awaitSnapshot(List<ListeningPort> listening) throws IOException, InterruptedException {
        put(listening, Map.of("mode", "paused", "snapshot", "awaited"));
    }

    /** Gives the copy all that isn't in its snapshot. */
    public void begin(List<ListeningPort> listening, StopTime moment) throws IOException, InterruptedException {
        put(
                listening,
                Map.of("mode", "on", "snapshot", Map.of("running", moment.running(), "answered", moment.answered())));
    }

    private void put(List<ListeningPort> listening, Map<String, Object> order)
            throws IOException, InterruptedException {
        for (ListeningPort port : listening) {
            client.put("/v1/listeners/" + ControlClient.segment(SidecarProgram.name(port)) + "/tee", order);
        }
    }

    /** All counters. */
    public JsonNode status() throws IOException, InterruptedException {
        return client.get("/v1/status");
    }

    /** A link to its console, which signs in once, within a minute; "" if there is none now. */
    public String consoleLink() throws InterruptedException {
        try {
            return base + client.post("/v1/console/links").path("path").asText();
        } catch (IOException late) {
            return "";
        }
    }

    /** Puts a rule that has fired into the session's story. */
    public void alert(String rule, String why, String trace) throws IOException, InterruptedException {
        client.post("/v1/alerts", Map.of("rule", start(rule), "why", start(why), "trace", trace));
    }

    private static String start(String text) {
        return text.substring(0, Math.min(LONGEST_WORDS, text.length()));
    }

    /** The ranking of suspects. */
    public JsonNode suspects() throws IOException, InterruptedException {
        return client.get("/v1/suspects");
    }

    /**
     * Turns the recording of a listener: {@code on}, {@code off}, or {@code next} for a new file without a gap.
     *
     * @return how it fares
     * @throws IOException if the sidecar doesn't do it; the message says why
     */
    public JsonNode record(ListeningPort port, String mode) throws IOException, InterruptedException {
        return client.put(
                "/v1/listeners/" + ControlClient.segment(SidecarProgram.name(port)) + "/recording",
                Map.of("mode", mode));
    }

    /**
     * Has it play to the copy what it has recorded of a listener, while that one's tee is paused.
     *
     * @param until requests that arrived from this moment on are left out, {@link System#nanoTime()}
     * @return how it fares
     * @throws IOException if the sidecar doesn't do it; the message says why
     */
    public JsonNode play(ListeningPort port, long until) throws IOException, InterruptedException {
        return client.post(playback(port), Map.of("until", until));
    }

    /** How that fares. */
    public JsonNode played(ListeningPort port) throws IOException, InterruptedException {
        return client.get(playback(port));
    }

    private static String playback(ListeningPort port) {
        return "/v1/listeners/" + ControlClient.segment(SidecarProgram.name(port)) + "/playback";
    }

    /**
     * An agent that has reported.
     *
     * @param run what no other start of an agent has, though its name may be the same
     * @param revision of the orders that it follows; -1 before its first ones
     * @param isArmed whether it samples: not before it knows that the window has room
     */
    public record AgentRun(String run, long revision, boolean isArmed) {
        /** None has reported. */
        public static final AgentRun NONE = new AgentRun("", -1, false);
    }

    /** The agent of that name that has reported last; {@link AgentRun#NONE} if none has. */
    public AgentRun agent(String name) throws IOException, InterruptedException {
        for (JsonNode agent : client.get("/v1/agent").path("agents")) {
            if (agent.path("name").asText().equals(name)) {
                return new AgentRun(
                        agent.path("run").asText(),
                        agent.path("orders").path("revision").asLong(-1),
                        agent.path("state").asText().equals("armed"));
            }
        }
        return AgentRun.NONE;
    }

    /** How often what is wanted of agents has changed. */
    public long orders() throws IOException, InterruptedException {
        return client.get("/v1/orders").path("revision").asLong();
    }

    /**
     * Writes the session's report as a page, and returns the sentence about each copy.
     *
     * @param options further ones of {@code understudy report}
     * @return its exit code and what it printed
     */
    public Outcome report(Path page, List<String> options) {
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        String[] words = Stream.concat(
                        Stream.of("report", "--html", page.toString(), "--url", base.toString(), "--token", token),
                        options.stream())
                .toArray(String[]::new);
        int code = Main.commandLine(Map.of(), new CountDownLatch(1))
                .setOut(out)
                .setErr(out)
                .execute(words);
        out.flush();
        return new Outcome(code, printed.toString().strip());
    }

    /**
     * What a command came to.
     *
     * @param code its exit code
     * @param text what it printed
     */
    public record Outcome(int code, String text) {}
}
