package dev.understudy.session.network;

import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.ledger.SessionProgram;
import dev.understudy.session.ledger.Sessions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Redirects with relays in the place of sidecar and aggregator. */
abstract class RedirectStage extends NetworkStage {
    static final int UID = 65534;
    static final int GID = 61999;

    ProgramLock locks() {
        return new ProgramLock(ledger.directory());
    }

    /** Begins a session with redirects, in a process that can be killed. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            FileLedger own = new Sessions(Path.of(args[0]), Clock.systemUTC()).create("test", Path.of(args[1]));
            try {
                Redirects.insert(
                        new RedirectPlan(
                                own.session(),
                                NetworkNamespace.at(Path.of("/run/netns", args[2])),
                                Map.of(at("0.0.0.0", 8080), at("0.0.0.0", 9080)),
                                Map.of(),
                                UID,
                                GID,
                                args[3].equals("none") ? List.of() : List.of(Long.parseLong(args[3])),
                                new ProgramLock(Path.of(args[4]))),
                        own);
                System.out.println("inserted " + own.session());
                System.in.read();
            } catch (NetworkFailure failure) {
                System.out.println(own.entries().size() + " " + failure.getMessage());
            }
        }
    }

    SessionProgram session(List<String> prefix, String pid) throws IOException {
        return SessionProgram.start(
                prefix,
                Program.class,
                folder + "/sessions",
                folder + "/images",
                machine.name(),
                pid,
                locks().directory().toString());
    }

    /** In its own network, where no program is needed to enter it. */
    List<String> inside(String... words) throws IOException {
        List<String> prefix = new ArrayList<>(machine.network().entrance());
        prefix.addAll(List.of(words));
        return prefix;
    }

    Redirects insert(
            Map<InetSocketAddress, InetSocketAddress> listening,
            Map<InetSocketAddress, InetSocketAddress> upstreams,
            SessionProgram... programs)
            throws Exception {
        return insert(ledger, listening, upstreams, programs);
    }

    Redirects insert(
            FileLedger own,
            Map<InetSocketAddress, InetSocketAddress> listening,
            Map<InetSocketAddress, InetSocketAddress> upstreams,
            SessionProgram... programs)
            throws Exception {
        List<Long> pids = new ArrayList<>();
        for (SessionProgram each : programs) {
            pids.add(each.pid());
        }
        return Redirects.insert(
                new RedirectPlan(own.session(), machine.network(), listening, upstreams, UID, GID, pids, locks()), own);
    }

    /** In the place of sidecar or aggregator. */
    SessionProgram support() throws IOException {
        List<String> words = new ArrayList<>(locks().words());
        words.addAll(List.of("setpriv", "--regid=" + GID, "--clear-groups", "--"));
        return machine.inside(words.toArray(String[]::new));
    }

    /** Runs as the target's user. */
    SessionProgram user() throws IOException {
        return machine.inside("setpriv", "--reuid=" + UID, "--regid=" + UID, "--clear-groups", "--");
    }

    static void listen(SessionProgram program, String name, String address, int port) throws IOException {
        assertThat(program.answer("listen " + name + " " + address + " " + port))
                .isEqualTo("ok");
    }

    static void relay(SessionProgram program, String name, String address, int port, String to, int toPort)
            throws IOException {
        assertThat(program.answer("relay " + name + " " + address + " " + port + " " + to + " " + toPort))
                .isEqualTo("ok");
    }
}
