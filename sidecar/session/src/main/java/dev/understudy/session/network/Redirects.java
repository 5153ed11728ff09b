package dev.understudy.session.network;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.ledger.LedgerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Brings production's new connections to sidecar and aggregator, for as long as those and the session live.
 *
 * <p>A process of its own sets the rules, and deletes them as soon as the session or one of the programs ends. If that
 * process itself is killed, the session deletes them. Connections that exist stay as they are, before and after. For
 * any thread.
 */
public final class Redirects implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** How long the guard's last line may be on its way when the guard has ended. */
    private static final long LAST_LINE_MILLIS = 200;

    private final Ledger ledger;
    private final List<LedgerEntry> rules;
    private final List<String> limits;
    private final LedgerProcess guard;
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final CompletableFuture<String> removal = new CompletableFuture<>();

    private Redirects(Ledger ledger, List<LedgerEntry> rules, List<String> limits, LedgerProcess guard) {
        this.ledger = ledger;
        this.rules = rules;
        this.limits = limits;
        this.guard = guard;
    }

    /**
     * Redirects what is new from now on.
     *
     * @throws NetworkFailure if that isn't possible, or one of the programs isn't running; nothing is redirected then
     */
    public static Redirects insert(RedirectPlan plan, Ledger ledger) throws NetworkFailure, InterruptedException {
        try {
            List<Path> locks = new ArrayList<>();
            for (long pid : plan.programs()) {
                locks.add(requireLock(plan.locks().file(pid), pid));
            }
            return insert(plan, ledger, new RedirectRules(plan, isIpv6On(plan.network())), locks);
        } catch (IOException failed) {
            throw new NetworkFailure("the redirects can't be set: " + failed.getMessage(), failed);
        }
    }

    private static Redirects insert(RedirectPlan plan, Ledger ledger, RedirectRules rules, List<Path> locks)
            throws IOException, NetworkFailure, InterruptedException {
        Map<PacketFilter, List<FilterRule>> filters = new LinkedHashMap<>();
        List<LedgerEntry> entries = new ArrayList<>();
        try {
            for (IpFamily family : IpFamily.values()) {
                if (!rules.of(family).isEmpty()) {
                    PacketFilter filter = PacketFilter.of(plan.network(), family);
                    filter.requireFree(plan.session(), rules.of(family));
                    filters.put(filter, rules.of(family));
                    List<FilterRule> holder = List.of(rules.holder(family));
                    entries.addAll(filter.list(ledger, holder));
                    filter.set("nat", holder);
                }
            }
            int holders = entries.size();
            for (Map.Entry<PacketFilter, List<FilterRule>> each : filters.entrySet()) {
                entries.addAll(each.getKey().list(ledger, each.getValue()));
            }
            return start(
                    plan,
                    ledger,
                    entries.subList(holders, entries.size()),
                    rules.limits(),
                    new RedirectScript(filters, locks).text());
        } catch (IOException | NetworkFailure | RuntimeException failed) {
            undo(ledger, entries);
            throw failed;
        }
    }

    private static Redirects start(
            RedirectPlan plan, Ledger ledger, List<LedgerEntry> entries, List<String> limits, String script)
            throws IOException, NetworkFailure, InterruptedException {
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(plan.network().command(List.of("sh", "-c", script)));
        LedgerProcess guard = LedgerProcess.start(
                new ProcessBuilder(command).redirectErrorStream(true), ledger, "guard of the redirects");
        Redirects redirects = new Redirects(ledger, entries, limits, guard);
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(guard.process().getInputStream(), StandardCharsets.UTF_8));
        String problem = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.equals("inserted")) {
                redirects.watch(lines, plan.session());
                return redirects;
            }
            problem = problem.isEmpty() && !line.startsWith("#") && !line.isBlank() ? line : problem;
        }
        ledger.undo(guard.entry());
        throw new NetworkFailure(
                PacketFilter.explain("iptables", problem.isEmpty() ? "the redirects' guard ended" : problem));
    }

    private static Path requireLock(Path lock, long pid) throws IOException, NetworkFailure, InterruptedException {
        if (!lock.toFile().exists()
                || HostCommand.run(LIMIT, List.of("flock", "-n", lock.toString(), "true"))
                        .isFine()) {
            throw new NetworkFailure("process " + pid + " doesn't run, or wasn't started with its lock " + lock);
        }
        return lock;
    }

    private static boolean isIpv6On(NetworkNamespace network) throws IOException, InterruptedException {
        HostCommand.Result off =
                HostCommand.run(LIMIT, network.command(List.of("cat", "/proc/sys/net/ipv6/conf/all/disable_ipv6")));
        return off.isFine() && off.lastLine().equals("0");
    }

    /** What isn't redirected, a sentence each. */
    public List<String> limits() {
        return limits;
    }

    /** Completes when nothing is redirected any more, with what ended: {@code process 7}, or {@code the guard}. */
    public CompletableFuture<String> removal() {
        return removal.copy();
    }

    /** The process that deletes the rules. */
    long guard() {
        return guard.process().pid();
    }

    private void watch(BufferedReader lines, String session) {
        Thread reader = new Thread(() -> read(lines), "guard of " + session);
        reader.setDaemon(true);
        reader.start();
        Thread waiter = new Thread(this::awaitEnd, "redirects of " + session);
        waiter.setDaemon(true);
        waiter.start();
    }

    private void read(BufferedReader lines) {
        try (lines) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("removed ")) {
                    ended.complete(line.substring("removed ".length()));
                }
            }
        } catch (IOException closed) {
            // the guard is gone
        }
    }

    private void awaitEnd() {
        try {
            guard.process().waitFor();
            String who = ended.completeOnTimeout("the guard", LAST_LINE_MILLIS, TimeUnit.MILLISECONDS)
                    .join();
            closePipe();
            undo(ledger, rules);
            ledger.undo(guard.entry());
            removal.complete(who);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is left of the guard deletes the rules, too. */
    private void closePipe() {
        try {
            guard.process().getOutputStream().close();
        } catch (IOException closed) {
            // the guard is gone
        }
    }

    private static void undo(Ledger ledger, List<LedgerEntry> entries) throws InterruptedException {
        for (int n = entries.size() - 1; n >= 0; n--) {
            ledger.undo(entries.get(n));
        }
    }

    /**
     * Deletes the rules, and waits until that is done. Connections through sidecar and aggregator stay until those end.
     * A rule without effect stays in the ledger until then.
     */
    @Override
    public void close() {
        closePipe();
        try {
            removal.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException slow) {
            guard.process().destroyForcibly();
        }
    }
}
