package dev.understudy.session.program;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.understudy.session.clone.CopyAgent;
import dev.understudy.session.clone.DebugCopy;
import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.program.SidecarControl.AgentRun;
import dev.understudy.session.target.TargetProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Brings the agent into a copy, and never into production.
 *
 * <p>A copy of a process has its pid, its socket for attaching and its temporary directory, so that a request to the
 * copy could land in production. Three things each prevent that: the copy's pid namespace and socket are compared with
 * production's before, the agent compares its own namespace with the one that it is meant for, and the sidecar must
 * hear of an agent of this session's name after.
 */
public final class AgentLoad {
    private static final Duration ATTACH = Duration.ofMinutes(2);
    private static final Duration REPORT = Duration.ofMinutes(2);
    private static final Duration ORDERS = Duration.ofSeconds(10);
    private static final String PRESENT = "dev.understudy.agent.present";
    private static final long POLL_MILLIS = 50;
    private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d+)]");

    private AgentLoad() {}

    /**
     * Attaches the agent and waits until it reports, and has its orders.
     *
     * @param name what it reports as
     * @param before the agent of the copy before, which had the same name
     * @throws ProgramFailure if the copy can't be told from production, or the agent doesn't report
     */
    public static void into(
            DebugCopy copy,
            TargetProcess production,
            CopyAgent agent,
            String name,
            AgentRun before,
            SidecarControl sidecar)
            throws ProgramFailure, InterruptedException {
        try {
            String options = options(proveCopy(copy, production), agent);
            attach(copy, place(copy, agent.jar()), options);
            awaitReport(name, before, sidecar);
        } catch (IOException unreadable) {
            throw new ProgramFailure(
                    "the agent can't be brought into the copy: " + unreadable.getMessage(), unreadable);
        }
    }

    /**
     * The agent of a session's copies.
     *
     * @param jar on this machine
     * @param name what it reports as, known to this session alone
     * @param aggregator where it says whose calls the copy makes; null if the copy has no upstreams
     */
    public static CopyAgent agent(
            Path jar,
            String name,
            SidecarControl sidecar,
            @Nullable AggregatorProgram aggregator,
            SessionTokens tokens) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("sidecar", sidecar.base().toString());
        settings.put("token", tokens.agent());
        settings.put("name", name);
        settings.put("service", name);
        if (aggregator != null) {
            settings.put("aggregator", "http://" + AddressText.of(aggregator.control()));
            settings.put("aggregator-token", tokens.agent());
        }
        return new CopyAgent(jar, settings);
    }

    /**
     * Waits until a fresh agent of that name reports, samples, and has its orders: it sees the first request, and
     * probes and points are the same as in the copy before.
     *
     * @param before the agent of the copy before, which had the same name
     * @throws ProgramFailure if it doesn't report; one that is late with the rest does it later
     */
    public static void awaitReport(String name, AgentRun before, SidecarControl sidecar)
            throws ProgramFailure, InterruptedException {
        long began = System.nanoTime();
        AgentRun now = AgentRun.NONE;
        while (now.run().equals(before.run()) || now.run().isEmpty()) {
            if (System.nanoTime() - began > REPORT.toNanos()) {
                throw new ProgramFailure(
                        "the agent doesn't report to " + sidecar.base() + ": the copy's standard error says why");
            }
            Thread.sleep(POLL_MILLIS);
            now = read(() -> sidecar.agent(name), now);
        }
        long wanted = read(sidecar::orders, 0L);
        long reported = System.nanoTime();
        while ((now.revision() < wanted || !now.isArmed()) && System.nanoTime() - reported < ORDERS.toNanos()) {
            Thread.sleep(POLL_MILLIS);
            now = read(() -> sidecar.agent(name), now);
        }
    }

    /** What the sidecar says. */
    private interface SidecarReading<T> {
        T read() throws IOException, InterruptedException;
    }

    /** On a busy machine it may be late. */
    private static <T> T read(SidecarReading<T> reading, T otherwise) throws InterruptedException {
        try {
            return reading.read();
        } catch (IOException late) {
            return otherwise;
        }
    }

    private static String options(String namespace, CopyAgent agent) {
        StringBuilder options = new StringBuilder("debug=true,pid-namespace=").append(namespace);
        agent.settings()
                .forEach((key, value) ->
                        options.append(',').append(key).append('=').append(value));
        return options.toString();
    }

    /** Returns the number of the copy's pid namespace, which is not production's. */
    static String proveCopy(DebugCopy copy, TargetProcess production) throws IOException, ProgramFailure {
        if (ProcessStart.ticks(copy.pid()) != copy.startTicks()) {
            throw new ProgramFailure(
                    "process " + copy.pid() + " isn't the copy any more: it ended, or another has its id");
        }
        String namespace = Files.readSymbolicLink(proc(copy.pid(), "ns/pid")).toString();
        Matcher number = NAMESPACE.matcher(namespace);
        if (copy.pid() == production.pid()
                || !number.matches()
                || namespace.equals(
                        Files.readSymbolicLink(proc(production.pid(), "ns/pid")).toString())) {
            throw new ProgramFailure("process " + copy.pid() + " can't be told from production's " + production.pid()
                    + ": no agent is brought into it");
        }
        for (String inner :
                new String[] {"tmp/.java_pid" + production.pid(), "tmp/.java_pid" + innermost(production.pid())}) {
            Path copys = proc(copy.pid(), "root").resolve(inner);
            Path productions = proc(production.pid(), "root").resolve(inner);
            if (Files.exists(copys) && Files.exists(productions) && Files.isSameFile(copys, productions)) {
                throw new ProgramFailure(
                        "the copy's socket for attaching is production's: no agent is brought into it");
            }
        }
        return number.group(1);
    }

    /** The pid as the process itself sees it. */
    private static String innermost(long pid) throws IOException {
        for (String line : Files.readAllLines(proc(pid, "status"))) {
            if (line.startsWith("NSpid:")) {
                String[] pids = line.strip().split("\\s+", -1);
                return pids[pids.length - 1];
            }
        }
        return Long.toString(pid);
    }

    /** Puts the jar into the copy's own file system, and returns its path there. */
    private static String place(DebugCopy copy, Path agent) throws IOException {
        Path root = proc(copy.pid(), "root");
        Path folder = Files.isDirectory(root.resolve("tmp")) ? root.resolve("tmp") : root;
        Path jar = folder.resolve("understudy-agent-" + copy.pid() + ".jar");
        Files.copy(agent, jar, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("r--r--r--"));
        return "/" + root.relativize(jar);
    }

    /** In a thread of its own: a JVM that hangs would keep its caller for ever. */
    private static void attach(DebugCopy copy, String jar, String settings)
            throws ProgramFailure, InterruptedException {
        CompletableFuture<String> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        VirtualMachine jvm = VirtualMachine.attach(Long.toString(copy.pid()));
                        try {
                            jvm.loadAgent(jar, settings);
                            done.complete(jvm.getSystemProperties().getProperty(PRESENT, "not there"));
                        } finally {
                            jvm.detach();
                        }
                    } catch (AttachNotSupportedException
                            | AgentLoadException
                            | AgentInitializationException
                            | IOException
                            | NoClassDefFoundError failed) {
                        done.completeExceptionally(failed);
                    }
                },
                "attach to " + copy.pid());
        thread.setDaemon(true);
        thread.start();
        try {
            String standing = done.get(ATTACH.toMillis(), TimeUnit.MILLISECONDS);
            if (!standing.equals("on")) {
                throw new ProgramFailure(
                        "the agent is " + standing + " in the copy: its line on the copy's standard error says why");
            }
        } catch (ExecutionException failed) {
            Throwable why = failed.getCause();
            throw new ProgramFailure(
                    why instanceof NoClassDefFoundError
                            ? "this java has no module jdk.attach (expected: a JDK)"
                            : "the copy, process " + copy.pid() + ", doesn't take the agent: " + failed.getMessage(),
                    failed);
        } catch (TimeoutException late) {
            throw new ProgramFailure(
                    "the copy, process " + copy.pid() + ", doesn't take the agent within " + ATTACH.toSeconds() + " s",
                    late);
        }
    }

    private static Path proc(long pid, String what) {
        return Path.of("/proc", Long.toString(pid)).resolve(what);
    }
}
