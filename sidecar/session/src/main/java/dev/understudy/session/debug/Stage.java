package dev.understudy.session.debug;

import dev.understudy.session.clone.CloneState;
import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.network.CloneNetwork;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.network.NetworkFailure;
import dev.understudy.session.network.ProgramLock;
import dev.understudy.session.network.RedirectPlan;
import dev.understudy.session.network.Redirects;
import dev.understudy.session.network.WorldPlan;
import dev.understudy.session.program.AggregatorProgram;
import dev.understudy.session.program.ProgramFailure;
import dev.understudy.session.program.ProgramFiles;
import dev.understudy.session.program.ProgramPlace;
import dev.understudy.session.program.ProgramUser;
import dev.understudy.session.program.SessionTokens;
import dev.understudy.session.program.SidecarControl;
import dev.understudy.session.program.SidecarProgram;
import dev.understudy.session.program.StopTime;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.UpstreamAddress;
import dev.understudy.sidecar.command.control.PrivateFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is set around production before there is a copy: the copy's network, sidecar and aggregator, and the redirects
 * that bring new connections to them. Closing it takes all of it away, the redirects first.
 */
final class Stage implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final TargetSurvey target;
    private final FileLedger ledger;
    private final SessionProgress progress;
    private final SessionTokens tokens = SessionTokens.fresh();
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private @Nullable CloneWorld world;
    private @Nullable AggregatorProgram aggregator;
    private @Nullable SidecarProgram sidecar;
    private @Nullable SidecarControl control;
    private @Nullable Redirects redirects;

    private Stage(TargetSurvey target, FileLedger ledger, SessionProgress progress) {
        this.target = target;
        this.ledger = ledger;
        this.progress = progress;
    }

    /**
     * Sets it. This process must be in the target's network.
     *
     * @param state what the copy will begin with
     * @param drain how long production's connections may go on through the programs at the end
     * @throws NetworkFailure if the network or the redirects can't be made; nothing is left then
     * @throws ProgramFailure if a program doesn't start; nothing is left then
     */
    static Stage set(
            TargetSurvey target,
            CloneState state,
            ProgramFiles files,
            Duration drain,
            FileLedger ledger,
            SessionProgress progress)
            throws NetworkFailure, ProgramFailure, IOException, InterruptedException {
        Stage stage = new Stage(target, ledger, progress);
        try {
            stage.set(state, files, drain);
            return stage;
        } catch (NetworkFailure | ProgramFailure | IOException | InterruptedException | RuntimeException failed) {
            stage.close();
            throw failed;
        }
    }

    private void set(CloneState state, ProgramFiles files, Duration drain)
            throws NetworkFailure, ProgramFailure, IOException, InterruptedException {
        NetworkNamespace home = NetworkNamespace.of(target.process().pid());
        CloneNetwork network = CloneNetwork.make(
                new WorldPlan(
                        ledger.session(),
                        1,
                        home,
                        target.copiedPorts().stream()
                                .map(ListeningPort::address)
                                .toList(),
                        target.recordedUpstreams().stream()
                                .map(UpstreamAddress::address)
                                .toList()),
                ledger);
        parts.push(network);
        CloneWorld made = network.world();
        world = made;
        made.limits().forEach(limit -> progress.line("note: " + limit));
        progress.reached(SessionStep.WORLD, made.namespace());

        ProgramUser user = ProgramUser.of(ledger.session());
        ProgramLock locks = new ProgramLock(ledger.directory());
        ProgramPlace place =
                new ProgramPlace(files, ledger.directory(), ledger.images().resolve("programs"), user, home, locks);
        // what is in there belongs to one of both; nobody else can list it
        Files.setPosixFilePermissions(ledger.images(), PosixFilePermissions.fromString("rwx--x--x"));
        List<UpstreamAddress> upstreams = target.recordedUpstreams().stream()
                .filter(upstream -> made.oursFor(upstream.address().getAddress()) != null)
                .toList();
        AggregatorProgram answers = null;
        if (!upstreams.isEmpty()) {
            answers = AggregatorProgram.start(place, upstreams, made, tokens, drain, ledger);
            parts.push(answers.program());
            aggregator = answers;
        }
        SidecarProgram relay =
                SidecarProgram.start(place, target.copiedPorts(), made, state, answers, tokens, drain, ledger);
        parts.push(relay.program());
        sidecar = relay;
        control = SidecarControl.of(relay, tokens);
        progress.reached(SessionStep.PROGRAMS, control.base().toString());

        Map<InetSocketAddress, InetSocketAddress> production = new HashMap<>();
        Map<InetSocketAddress, InetSocketAddress> debug = new HashMap<>();
        List<Long> programs = new ArrayList<>(List.of(relay.program().pid()));
        if (answers != null) {
            programs.add(answers.program().pid());
            answers.ports().forEach((upstream, ports) -> {
                production.put(upstream, ports.production());
                debug.put(upstream, ports.debug());
            });
        }
        network.open(debug, Set.of(relay.control().getPort()));
        Redirects inserted = Redirects.insert(
                new RedirectPlan(
                        ledger.session(),
                        home,
                        relay.ports(),
                        production,
                        target.process().uid(),
                        user.id(),
                        programs,
                        locks),
                ledger);
        parts.push(inserted);
        redirects = inserted;
        inserted.limits().forEach(limit -> progress.line("note: " + limit));
        progress.reached(SessionStep.REDIRECTED, redirected());
    }

    private String redirected() {
        List<String> words = new ArrayList<>();
        target.copiedPorts().forEach(port -> words.add("port " + port.address().getPort()));
        target.recordedUpstreams()
                .forEach(upstream -> words.add(upstream.address().getAddress().getHostAddress() + ":"
                        + upstream.address().getPort()));
        return words.stream().distinct().collect(Collectors.joining(", "));
    }

    /** The copy's network. */
    CloneWorld world() {
        return there(world);
    }

    /** What the sidecar is asked by. */
    SidecarControl control() {
        return there(control);
    }

    /** What callers of the control ports show. */
    SessionTokens tokens() {
        return tokens;
    }

    /** How many of the copy's requests to upstreams had no recorded reply so far. */
    long missed() throws IOException, InterruptedException {
        return aggregator == null ? 0 : aggregator.missed(tokens);
    }

    /**
     * Writes the file with which other commands find the session's control ports.
     *
     * @return the file, which only this user can read
     */
    Path environmentFile() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("export UNDERSTUDY_CONTROL_URL=" + control().base());
        lines.add("export UNDERSTUDY_CONTROL_TOKEN=" + tokens.admin());
        if (aggregator != null) {
            lines.add("export UNDERSTUDY_AGGREGATOR_URL=http:/" + aggregator.control());
            lines.add("export UNDERSTUDY_AGGREGATOR_TOKEN=" + tokens.admin());
        }
        Path file = ledger.directory().resolve("env");
        PrivateFile.write(file, lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
        return file;
    }

    /** Turns the tees of all ports. */
    void tee(String mode) throws IOException, InterruptedException {
        control().tee(target.copiedPorts(), mode);
    }

    /** From now on what clients send is kept, until the moment of a snapshot is known. */
    void awaitSnapshot() throws IOException, InterruptedException {
        control().awaitSnapshot(target.copiedPorts());
    }

    /** Gives the copy all that isn't in its snapshot. */
    void begin(StopTime moment) throws IOException, InterruptedException {
        control().begin(target.copiedPorts(), moment);
    }

    /**
     * Makes sure that all of it is still there.
     *
     * @throws ProgramFailure if a part has ended: production's connections go their own way again then
     */
    void check() throws ProgramFailure {
        if (there(redirects).removal().isDone()) {
            throw new ProgramFailure("nothing is redirected any more: "
                    + there(redirects).removal().join() + " ended");
        }
        if (!isAnswering() || !there(sidecar).program().isAlive()) {
            throw new ProgramFailure("the " + (isAnswering() ? "sidecar" : "aggregator") + " ended; its log is in "
                    + ledger.directory());
        }
    }

    /** Whether the copy's upstreams are answered, if it has any. */
    private boolean isAnswering() {
        return aggregator == null || aggregator.program().isAlive();
    }

    /**
     * Takes the redirects away, and waits until production's connections through sidecar and aggregator have ended, so
     * that none is cut.
     *
     * @param hurried ends the wait when it is counted down
     */
    void release(CountDownLatch hurried) throws InterruptedException {
        there(redirects).close();
        there(sidecar).program().release();
        if (aggregator != null) {
            aggregator.program().release();
        }
        boolean hasWaited = false;
        while ((there(sidecar).program().isAlive()
                        || (aggregator != null && aggregator.program().isAlive()))
                && !hurried.await(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
            if (!hasWaited) {
                progress.line("waiting until production's connections through sidecar and aggregator have ended;"
                        + " Ctrl-C cuts them");
                hasWaited = true;
            }
        }
    }

    private static <T> T there(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not set");
        }
        return part;
    }

    /** The redirects go first: nobody new arrives at a program that ends. */
    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception failed) {
                progress.line("couldn't be removed: " + failed.getMessage());
            }
        }
    }
}
