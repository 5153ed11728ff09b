package dev.understudy.session.target.survey;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.target.FileUse;
import dev.understudy.session.target.JvmFacts;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.OpenFile;
import dev.understudy.session.target.ProcessNamespaces;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.UnixPeer;
import dev.understudy.session.target.guess.LibraryNames;
import dev.understudy.session.target.guess.SettingWords;
import dev.understudy.session.target.proc.Descriptors;
import dev.understudy.session.target.proc.Mapping;
import dev.understudy.session.target.proc.ProcFiles;
import dev.understudy.session.target.proc.ProcessStatus;
import dev.understudy.session.target.proc.TargetRoot;
import dev.understudy.session.target.proc.UnixSockets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Surveys a running JVM from outside: it reads what the kernel shows, and attaches to nothing. May wait some seconds
 * for programs and for name servers. For any thread.
 */
public final class TargetSurveyor {
    private static final String LIBRARY = "/libjvm.so";
    private static final int MOST_MAPPINGS = 500_000;
    private static final int MOST_ENVIRONMENT = 4 << 20;
    private static final int MOST_VARIABLES = 5000;
    private static final int MOST_FILES = 1000;
    private static final int MOST_ARCHIVES = 5000;
    /** Characters of a program's output after which some may be missing. */
    private static final int MOST_OUTPUT = 1_000_000;

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Path proc;
    private final SurveyOptions options;

    public TargetSurveyor(SurveyOptions options) {
        this(Path.of("/proc"), options);
    }

    /** @param proc another folder in its place, for tests */
    TargetSurveyor(Path proc, SurveyOptions options) {
        this.proc = proc;
        this.options = options;
    }

    /**
     * Surveys a process.
     *
     * @throws TargetException if there is none, or none that can be debugged, or this user may not see it, or it ends
     *     meanwhile; the message names the way out
     */
    public TargetSurvey survey(long pid) throws TargetException, InterruptedException {
        ProcessIdentity identity = new ProcessIdentity(proc, pid);
        long startTicks = -1;
        try {
            ProcessStatus status = identity.status();
            startTicks = identity.startTicks();
            TargetSurvey survey = survey(identity, identity.process(status, startTicks), status);
            identity.verify(startTicks);
            return survey;
        } catch (IOException failed) {
            throw identity.problem(failed, startTicks);
        }
    }

    /** Whether a process has a JVM in it; false if it can't be seen. */
    public static boolean isJvm(Path proc, long pid) {
        try {
            return !libraries(new ProcFiles(proc, pid), new HashSet<>(), new ArrayList<>())
                    .isEmpty();
        } catch (IOException unseen) {
            return false;
        }
    }

    private TargetSurvey survey(ProcessIdentity identity, TargetProcess process, ProcessStatus status)
            throws IOException, TargetException, InterruptedException {
        ProcFiles files = identity.files();
        Collection<String> notes = new LinkedHashSet<>();
        Set<String> archives = new HashSet<>();
        List<OpenFile> open = new ArrayList<>();
        String library = libraries(files, archives, open);
        if (library.isEmpty()) {
            throw new TargetException(NoJvm.message(proc, process));
        }
        Descriptors descriptors = Descriptors.read(files);
        archives.addAll(descriptors.archives());
        open.addAll(descriptors.files());
        if (!descriptors.isComplete() || open.size() >= MOST_FILES) {
            notes.add("It has very many files open or mapped; not all are in the plan.");
        }
        TargetRoot root = new TargetRoot(files.path("root"));
        List<String> environment = files.words("environ", MOST_ENVIRONMENT, MOST_VARIABLES);
        JvmFacts jvm = JvmReading.read(files, root, process.command(), environment, library);
        if (process.command().stream().anyMatch(word -> word.startsWith("@"))) {
            notes.add("Options in argument files (@FILE) weren't read.");
        }
        ProcessNamespaces namespaces = identity.namespaces();
        ProcessNamespaces ours = identity.ours();
        boolean sameNetwork = ours.network() == namespaces.network();
        SettingWords settings = SettingWords.of(process.command(), environment);
        TcpSurvey sockets = TcpSurvey.read(files, descriptors.sockets(), notes);
        EndpointSurvey endpoints = new EndpointSurvey(
                options,
                process,
                settings,
                LibraryNames.collect(process.command(), process.workingDirectory(), archives, root),
                sameNetwork,
                sameNetwork && ours.mount() == namespaces.mount());
        List<ListeningPort> ports = endpoints.ports(sockets.ports());
        return new TargetSurvey(
                process,
                namespaces,
                jvm,
                status.residentBytes(),
                status.threads(),
                ports,
                endpoints.upstreams(sockets.upstreams(), root, notes),
                unixPeers(process.pid(), sameNetwork, descriptors.sockets(), notes),
                FileList.merged(open),
                List.copyOf(notes));
    }

    /** The path of its libjvm.so; "" without one. Adds files that are mapped for writing, and archives. */
    private static String libraries(ProcFiles files, Set<String> archives, List<OpenFile> open) throws IOException {
        List<String> libraries = new ArrayList<>();
        files.lines(
                "maps",
                MOST_MAPPINGS,
                line -> Mapping.parse(line).ifPresent(mapping -> {
                    if (mapping.path().endsWith(LIBRARY) && libraries.isEmpty()) {
                        libraries.add(mapping.path());
                    } else if (mapping.path().endsWith(".jar") && archives.size() < MOST_ARCHIVES) {
                        archives.add(mapping.path());
                    } else if (mapping.isWritten() && isFile(mapping.path()) && open.size() < MOST_FILES) {
                        open.add(new OpenFile(
                                mapping.path(),
                                mapping.isDeleted() ? Set.of(FileUse.MAPPED, FileUse.DELETED) : Set.of(FileUse.MAPPED),
                                -1));
                    }
                }));
        return libraries.isEmpty() ? "" : libraries.get(0);
    }

    /** None of the JVM's own, or of memory that only looks like a file. */
    private static boolean isFile(String path) {
        return !path.contains("/hsperfdata_")
                && !path.startsWith("/memfd:")
                && !path.startsWith("/dev/zero")
                && !path.startsWith("/SYSV");
    }

    private static List<UnixPeer> unixPeers(long pid, boolean sameNetwork, Set<Long> own, Collection<String> notes)
            throws InterruptedException {
        List<String> list = List.of("ss", "-xnH", "state", "connected");
        List<String> command =
                new ArrayList<>(sameNetwork ? List.of() : List.of("nsenter", "--net=/proc/" + pid + "/ns/net"));
        command.addAll(list);
        try {
            HostCommand.Result result = HostCommand.run(LIMIT, command);
            if (result.isFine()) {
                if (result.output().length() >= MOST_OUTPUT) {
                    notes.add("There are very many Unix sockets; not all peers are in the plan.");
                }
                return UnixSockets.peers(result.output(), own);
            }
            notes.add("Peers by Unix sockets are unknown: ss failed: " + result.lastLine());
        } catch (IOException missing) {
            notes.add("Peers by Unix sockets are unknown: ss or nsenter isn't there (install iproute2, util-linux).");
        }
        return List.of();
    }
}
