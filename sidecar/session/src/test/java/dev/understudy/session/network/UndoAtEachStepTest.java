package dev.understudy.session.network;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.ledger.LedgerProcess;
import dev.understudy.session.ledger.SessionProgram;
import dev.understudy.session.ledger.SessionSummary;
import dev.understudy.session.ledger.Sessions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A session that is killed after each thing that it writes down, on a machine where another session goes on. */
@Tag("process")
@Tag("slow")
final class UndoAtEachStepTest {
    @TempDir
    Path folder;

    private final Set<String> begun = new TreeSet<>();

    /** A ledger whose process is killed when a given entry is on disk, and nothing of it made. */
    private record DyingLedger(FileLedger ledger, int last) implements Ledger {
        @Override
        public LedgerEntry add(LedgerEntry.Kind kind, String... words) {
            LedgerEntry entry = ledger.add(kind, words);
            if (entry.id() == last) {
                die();
            }
            return entry;
        }

        static void die() {
            try {
                HostCommand.run(
                        Duration.ofSeconds(60),
                        List.of(
                                "kill",
                                "-9",
                                Long.toString(ProcessHandle.current().pid())));
                Thread.sleep(60_000);
            } catch (IOException | InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        @Override
        public void remove(LedgerEntry entry) {
            ledger.remove(entry);
        }

        @Override
        public boolean undo(LedgerEntry entry) throws InterruptedException {
            return ledger.undo(entry);
        }
    }

    /** A whole session: a program, a world, a copy with a child, redirects, an image. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            NetworkNamespace machine = NetworkNamespace.at(Path.of("/run/netns", args[2]));
            int port = Integer.parseInt(args[3]);
            FileLedger file = new Sessions(Path.of(args[0]), Clock.systemUTC()).create("test", Path.of(args[1]));
            System.out.println(file.session());
            Ledger ledger = new DyingLedger(file, Integer.parseInt(args[4]));
            ProgramLock locks = new ProgramLock(file.directory());
            List<String> words = new ArrayList<>(locks.words());
            words.addAll(machine.command(List.of("sleep", "1000")));
            LedgerProcess sidecar = LedgerProcess.start(new ProcessBuilder(words), ledger, "sidecar");
            while (!Files.exists(locks.file(sidecar.process().pid()))) {
                Thread.sleep(5);
            }
            InetSocketAddress upstream = at("10.20.0.5", 5432);
            InetSocketAddress upstream6 = at("fd20::5", 5432);
            CloneNetwork network = CloneNetwork.make(
                    new WorldPlan(
                            file.session(), 1, machine, List.of(at("10.98.0.7", 80)), List.of(upstream, upstream6)),
                    ledger);
            network.open(
                    Map.of(
                            upstream, new InetSocketAddress(network.world().ours(), 7001),
                            upstream6, new InetSocketAddress(network.world().oursFor(upstream6.getAddress()), 7001)),
                    Set.of(7002));
            LedgerProcess.start(
                    new ProcessBuilder(NetworkNamespace.at(
                                    Path.of("/run/netns", network.world().namespace()))
                            .command(List.of(
                                    "sh",
                                    "-c",
                                    "(setsid sh -c 'sleep 1000; :' \"$0\" &); setsid sleep 1000",
                                    args[1]))),
                    ledger,
                    "copy");
            Redirects.insert(
                    new RedirectPlan(
                            file.session(),
                            machine,
                            Map.of(at("::", port), at("::", port + 1)),
                            Map.of(upstream, at("127.0.0.1", 7001)),
                            65534,
                            61999,
                            List.of(sidecar.process().pid()),
                            locks),
                    ledger);
            Path image = file.images().resolve("image");
            ledger.add(LedgerEntry.Kind.DIRECTORY, image.toString());
            Files.createDirectory(image);
            Files.writeString(image.resolve("secret"), "x");
            System.out.println("made " + file.entries().size());
            System.in.read();
        }

        private static InetSocketAddress at(String address, int port) throws IOException {
            return new InetSocketAddress(InetAddress.getByName(address), port);
        }
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void sessionKilledAtAnyStep_isUndone_andTheOtherGoesOn() throws Exception {
        TestMachine machine = TestMachine.make();
        Files.createDirectory(folder.resolve("images"));
        Sessions sessions = new Sessions(folder.resolve("sessions"), Clock.systemUTC());
        try (SessionProgram other = start(machine, 8080, 0)) {
            String otherId = other.line();
            begun.add(otherId);
            int steps = Integer.parseInt(other.line().substring("made ".length()));
            String before = settled(machine);
            assertThat(before).contains("understudy-" + otherId, "understudy:" + otherId, "sleep", "secret");
            assertThat(steps).isGreaterThan(20);
            for (int step = 2; step <= steps + 1; step++) {
                String session;
                try (SessionProgram program = start(machine, 8090, step)) {
                    session = program.line();
                    begun.add(session);
                    if (program.line().startsWith("made")) {
                        program.kill();
                    }
                    program.await();
                }
                assertThat(sessions.undo(session).left()).as("step %d", step).isEmpty();
                assertThat(state(machine)).as("step %d", step).isEqualTo(before);
            }
            other.kill();
            assertThat(sessions.undo(otherId).left()).isEmpty();
            assertThat(state(machine)).doesNotContain("understudy", "sleep", "secret");
        } finally {
            for (SessionSummary each : sessions.list()) {
                sessions.undo(each.id());
            }
            machine.close();
        }
    }

    private SessionProgram start(TestMachine machine, int port, int step) throws IOException {
        // as on a machine whose own network is the target's, and as beside a container
        List<String> prefix = step % 2 == 0 ? List.of() : machine.network().entrance();
        return SessionProgram.start(
                prefix, Program.class, folder + "/sessions", folder + "/images", machine.name(), "" + port, "" + step);
    }

    /** The state once the guard of the redirects has begun its own processes, which it does by and by. */
    private String settled(TestMachine machine) throws Exception {
        String before = "";
        String now = state(machine);
        while (!now.equals(before) || !now.contains("flock ")) {
            TimeUnit.MILLISECONDS.sleep(500);
            before = now;
            now = state(machine);
        }
        return now;
    }

    /** Rules, links, routes and processes of the machine and of sessions' namespaces, and files. */
    private String state(TestMachine machine) throws Exception {
        Set<String> lines = new TreeSet<>();
        Set<Long> networks = new TreeSet<>(Set.of(machine.network().number()));
        try (Stream<Path> named = Files.list(Path.of("/run/netns"))) {
            for (Path each : named.filter(path -> begun.stream()
                            .anyMatch(session -> path.getFileName().toString().contains(session)))
                    .toList()) {
                lines.add("namespace " + each.getFileName());
                networks.add(NetworkNamespace.at(each).number());
            }
        }
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            try {
                String command = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                        .replace('\0', ' ');
                if (networks.contains(NetworkNamespace.of(process.pid()).number()) || command.contains("" + folder)) {
                    lines.add("process " + process.pid() + " "
                            + command.lines().findFirst().orElse(""));
                }
            } catch (IOException gone) {
                // it ended meanwhile
            }
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(path -> !path.toString().endsWith(".jsonl")).forEach(path -> lines.add(path.toString()));
        }
        return machine.state() + "\n" + String.join("\n", lines);
    }
}
