package dev.understudy.session.debug;

import dev.understudy.session.clone.CopyAgent;
import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.network.CloneNetwork;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.network.NetworkFailure;
import dev.understudy.session.network.ProgramLock;
import dev.understudy.session.network.RedirectPlan;
import dev.understudy.session.network.Redirects;
import dev.understudy.session.network.WorldPlan;
import dev.understudy.session.program.AgentLoad;
import dev.understudy.session.program.AggregatorProgram;
import dev.understudy.session.program.AggregatorProgram.CopyCalls;
import dev.understudy.session.program.ProgramAddresses;
import dev.understudy.session.program.ProgramFailure;
import dev.understudy.session.program.ProgramPlace;
import dev.understudy.session.program.ProgramUser;
import dev.understudy.session.program.ProgramWatch;
import dev.understudy.session.program.SessionTokens;
import dev.understudy.session.program.SidecarControl;
import dev.understudy.session.program.SidecarProgram;
import dev.understudy.session.program.StopTime;
import dev.understudy.session.program.SupportProgram;
import dev.understudy.session.renewal.CloneWebhook;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.UpstreamAddress;
import dev.understudy.sidecar.verdict.CopyState;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is set around production before there is a copy: the copy's network, sidecar and aggregator, and the redirects
 * that bring new connections to them. Closing it takes all of it away, the redirects first.
 */
final class Stage implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final NetworkNamespace home;
    private final int uid;
    private final List<UpstreamAddress> upstreams;
    private final CopyState state;
    private final DebugSettings settings;
    private final FileLedger ledger;
    private final SessionProgress progress;
    private final SessionTokens tokens = SessionTokens.fresh();
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final List<Redirects> redirects = new CopyOnWriteArrayList<>();
    private final ProgramWatch watch = new ProgramWatch(this::hung).start();
    private volatile String hung = "";
    private List<ListeningPort> ports = List.of();
    private @Nullable CloneNetwork network;
    private @Nullable ProgramPlace place;
    private @Nullable AggregatorProgram aggregator;
    private @Nullable SidecarProgram sidecar;
    private @Nullable SidecarControl control;

    private Stage(NetworkNamespace home, int uid, List<UpstreamAddress> upstreams, SessionScene scene) {
        this.home = home;
        this.uid = uid;
        this.upstreams = List.copyOf(upstreams);
        this.state = scene.driver().state();
        this.settings = scene.settings();
        this.ledger = scene.ledger();
        this.progress = scene.progress();
    }

    /**
     * Sets it around a service that runs. This process must be in the target's network.
     *
     * @throws NetworkFailure if the network or the redirects can't be made; nothing is left then
     * @throws ProgramFailure if a program doesn't start; nothing is left then
     */
    static Stage set(TargetSurvey target, SessionScene scene)
            throws NetworkFailure, ProgramFailure, IOException, InterruptedException {
        Stage stage = new Stage(
                NetworkNamespace.of(target.process().pid()), target.process().uid(), target.recordedUpstreams(), scene);
        return stage.after(() -> stage.set(target));
    }

    /**
     * Sets the part of it that records upstreams, before the service begins; {@link #serve} sets the rest.
     *
     * @param uid the user that the service will have
     * @throws NetworkFailure if the network or the redirects can't be made; nothing is left then
     * @throws ProgramFailure if a program doesn't start; nothing is left then
     */
    static Stage record(List<UpstreamAddress> upstreams, int uid, SessionScene scene)
            throws NetworkFailure, ProgramFailure, IOException, InterruptedException {
        Stage stage = new Stage(NetworkNamespace.own(), uid, upstreams, scene);
        return stage.after(stage::record);
    }

    /** A step that leaves nothing if it fails. */
    private interface StageStep {
        void run() throws NetworkFailure, ProgramFailure, IOException, InterruptedException;
    }

    private Stage after(StageStep step) throws NetworkFailure, ProgramFailure, IOException, InterruptedException {
        try {
            step.run();
            return this;
        } catch (NetworkFailure | ProgramFailure | IOException | InterruptedException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private void set(TargetSurvey target) throws NetworkFailure, ProgramFailure, IOException, InterruptedException {
        ports = target.copiedPorts();
        CloneNetwork made = makeNetwork();
        startAggregator(made.world(), target.ports());
        SidecarProgram relay = startSidecar(made.world());
        progress.reached(SessionStep.PROGRAMS, control().base().toString());
        Set<Integer> controls = new HashSet<>(List.of(relay.control().getPort()));
        List<Long> programs = new ArrayList<>(List.of(relay.program().pid()));
        if (aggregator != null) {
            controls.add(aggregator.control().getPort());
            programs.add(aggregator.program().pid());
        }
        made.open(answers(AggregatorProgram.Ports::debug), controls);
        redirect(relay.ports(), answers(AggregatorProgram.Ports::production), programs);
        progress.reached(SessionStep.REDIRECTED, EndpointWords.of(ports, upstreams));
    }

    private void record() throws NetworkFailure, ProgramFailure, IOException, InterruptedException {
        CloneNetwork made = makeNetwork();
        startAggregator(made.world(), null);
        if (aggregator != null) {
            made.open(
                    answers(AggregatorProgram.Ports::debug),
                    Set.of(aggregator.control().getPort()));
            redirect(
                    Map.of(),
                    answers(AggregatorProgram.Ports::production),
                    List.of(aggregator.program().pid()));
            progress.reached(SessionStep.RECORDED, EndpointWords.of(List.of(), upstreams));
        }
    }

    /** Brings the clients of a service that has begun to the sidecar. */
    void serve(TargetSurvey target) throws NetworkFailure, ProgramFailure, IOException, InterruptedException {
        ports = target.copiedPorts();
        CloneNetwork made = there(network);
        CloneWorld world =
                made.listen(ports.stream().map(ListeningPort::address).toList());
        world.limits().forEach(limit -> progress.line("note: " + limit));
        SidecarProgram relay = startSidecar(world);
        progress.reached(SessionStep.PROGRAMS, control().base().toString());
        made.open(Map.of(), Set.of(relay.control().getPort()));
        redirect(relay.ports(), Map.of(), List.of(relay.program().pid()));
        progress.reached(SessionStep.REDIRECTED, EndpointWords.of(ports, List.of()));
    }

    private CloneNetwork makeNetwork() throws NetworkFailure, IOException, InterruptedException {
        CloneNetwork made = CloneNetwork.make(
                new WorldPlan(
                        ledger.session(),
                        1,
                        home,
                        ports.stream().map(ListeningPort::address).toList(),
                        upstreams.stream().map(UpstreamAddress::address).toList()),
                ledger);
        parts.push(made);
        network = made;
        made.world().limits().forEach(limit -> progress.line("note: " + limit));
        progress.reached(SessionStep.WORLD, made.world().namespace());
        place = new ProgramPlace(
                settings.files(),
                ledger.directory(),
                ledger.images().resolve("programs"),
                ProgramUser.of(ledger.session()),
                home,
                new ProgramLock(ledger.directory()));
        // what is in there belongs to one of both; nobody else can list it
        Files.setPosixFilePermissions(ledger.images(), PosixFilePermissions.fromString("rwx--x--x"));
        return made;
    }

    /** @param listening where production listens; null if that isn't known yet */
    private void startAggregator(CloneWorld world, @Nullable List<ListeningPort> listening)
            throws ProgramFailure, InterruptedException {
        List<UpstreamAddress> reached = upstreams.stream()
                .filter(upstream -> world.oursFor(upstream.address().getAddress()) != null)
                .toList();
        if (!reached.isEmpty()) {
            AggregatorProgram answers =
                    AggregatorProgram.start(there(place), reached, world, listening, tokens, settings.drain(), ledger);
            parts.push(answers.program());
            watch.add(answers.program(), answers.health());
            aggregator = answers;
        }
    }

    private SidecarProgram startSidecar(CloneWorld world) throws ProgramFailure, IOException, InterruptedException {
        SidecarProgram relay =
                SidecarProgram.start(there(place), ports, world, state, aggregator, tokens, settings.duties(), ledger);
        parts.push(relay.webhook());
        parts.push(relay.program());
        watch.add(relay.program(), relay.health());
        sidecar = relay;
        control = SidecarControl.of(relay, tokens);
        return relay;
    }

    /** Production is reached without it, before it is killed. */
    private void hung(String why) {
        hung = why;
        redirects.forEach(Redirects::close);
    }

    /** Where each upstream is answered. */
    private Map<InetSocketAddress, InetSocketAddress> answers(
            Function<AggregatorProgram.Ports, InetSocketAddress> side) {
        Map<InetSocketAddress, InetSocketAddress> answers = new HashMap<>();
        if (aggregator != null) {
            aggregator.ports().forEach((upstream, each) -> answers.put(upstream, side.apply(each)));
        }
        return answers;
    }

    private void redirect(
            Map<InetSocketAddress, InetSocketAddress> listening,
            Map<InetSocketAddress, InetSocketAddress> answers,
            List<Long> programs)
            throws NetworkFailure, InterruptedException {
        Redirects inserted = Redirects.insert(
                new RedirectPlan(
                        ledger.session(),
                        home,
                        listening,
                        answers,
                        uid,
                        there(place).user().id(),
                        programs,
                        there(place).locks()),
                ledger);
        parts.push(inserted);
        redirects.add(inserted);
        inserted.limits().forEach(limit -> progress.line("note: " + limit));
    }

    /** The copy's network. */
    CloneWorld world() {
        return there(network).world();
    }

    /** What the sidecar is asked by. */
    SidecarControl control() {
        return there(control);
    }

    /** What reports to both, as {@code name}. */
    CopyAgent agent(String name) {
        return AgentLoad.agent(settings.files().agent(), name, control(), aggregator, tokens);
    }

    /** What became so far of the copy's requests to upstreams that no recorded reply answered. */
    CopyCalls calls() throws IOException, InterruptedException {
        return aggregator == null ? CopyCalls.NONE : aggregator.calls(tokens);
    }

    /** The file with which other commands find the session's control ports; only this user can read it. */
    Path environmentFile() throws IOException {
        return ProgramAddresses.write(
                ledger.directory(), control().base(), aggregator == null ? null : aggregator.control(), tokens);
    }

    /** From now on the sidecar gets fresh copies when it asks for them. */
    void renewals(CloneWebhook.CopyRenewal renewal) {
        there(sidecar).webhook().serve(renewal);
    }

    /** Turns the tees of all ports. */
    void tee(String mode) throws IOException, InterruptedException {
        control().tee(ports, mode);
    }

    /** From now on what clients send is kept, until the moment of a snapshot is known. */
    void awaitSnapshot() throws IOException, InterruptedException {
        control().awaitSnapshot(ports);
    }

    /** Has the aggregator forget what production got before that moment: a copy of that memory won't ask for it. */
    void forget(StopTime moment) throws IOException, InterruptedException {
        if (aggregator != null) {
            aggregator.forget(tokens, System.nanoTime() - moment.answered());
        }
    }

    /** Where the sidecar keeps recordings. */
    Path recordings() {
        return SidecarProgram.recordings(there(place));
    }

    /** Gives the copy all that isn't in its snapshot. */
    void begin(StopTime moment) throws IOException, InterruptedException {
        control().begin(ports, moment);
    }

    /**
     * Makes sure that all of it is still there.
     *
     * @throws ProgramFailure if a part has ended: production's connections go their own way again then
     */
    void check() throws ProgramFailure {
        if (!hung.isEmpty()) {
            throw new ProgramFailure(hung + ", and nothing is redirected any more");
        }
        for (Redirects each : redirects) {
            if (each.removal().isDone()) {
                throw new ProgramFailure(
                        "nothing is redirected any more: " + each.removal().join() + " ended");
            }
        }
        if (!isWhole()) {
            throw new ProgramFailure("the " + (isAnswering() ? "sidecar" : "aggregator") + " ended; its log is in "
                    + ledger.directory());
        }
    }

    /** Whether its programs run. */
    boolean isWhole() {
        return isAnswering() && there(sidecar).program().isAlive();
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
        redirects.forEach(Redirects::close);
        List<SupportProgram> programs = new ArrayList<>();
        if (sidecar != null) {
            programs.add(sidecar.program());
        }
        if (aggregator != null) {
            programs.add(aggregator.program());
        }
        programs.forEach(SupportProgram::release);
        boolean hasWaited = false;
        while (programs.stream().anyMatch(SupportProgram::isAlive)
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
        watch.close();
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception failed) {
                progress.line("couldn't be removed: " + failed.getMessage());
            }
        }
    }
}
