package dev.understudy.session.clone.facts;

import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneForecast;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.facts.ProcessFacts.Leader;
import dev.understudy.session.target.TargetProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Judges what was found of a process and its machine: each check with what it means, and the way out. */
public final class ForecastChecks extends CloneChecks {
    /** Of the bytes that are copied while the process stands still. */
    public static final long MOST_IN_PLACE = 64L << 20;

    /** Of an open file without a name, whose bytes are in the image. */
    public static final long LARGEST_DELETED = 64L << 20;

    /** Measured: reading and copying memory, for each byte; and what a dump takes before. */
    private static final double NANOS_PER_BYTE = 0.9e9 / (1 << 30);

    private static final Duration FIXED = Duration.ofMillis(100);

    private final TargetProcess target;
    private final ProcessFacts process;
    private final MachineFacts machine;
    private final CloneLimits limits;
    private final boolean isContainer;

    private ForecastChecks(
            TargetProcess target, ProcessFacts process, MachineFacts machine, CloneLimits limits, boolean isContainer) {
        this.isContainer = isContainer;
        this.target = target;
        this.process = process;
        this.machine = machine;
        this.limits = limits;
    }

    /** The forecast, in the order in which it is shown. */
    public static CloneForecast of(
            TargetProcess target,
            ProcessFacts process,
            MachineFacts machine,
            List<CloneCheck> engine,
            CloneLimits limits) {
        return of(target, process, engine, new ForecastChecks(target, process, machine, limits, false));
    }

    /**
     * The same for a process that is copied with its container.
     *
     * @param engine what is to be known of that, too
     */
    public static CloneForecast ofContainer(
            TargetProcess target,
            ProcessFacts process,
            MachineFacts machine,
            List<CloneCheck> engine,
            CloneLimits limits) {
        return of(target, process, engine, new ForecastChecks(target, process, machine, limits, true));
    }

    private static CloneForecast of(
            TargetProcess target, ProcessFacts process, List<CloneCheck> engine, ForecastChecks checks) {
        if (!checks.isSame(process, "process " + target.pid() + " has ended; choose it again by its new pid")) {
            return new CloneForecast(checks.checks(), Duration.ZERO);
        }
        checks.privileges();
        checks.checks().addAll(engine);
        checks.process();
        checks.cost();
        checks.memory();
        checks.descriptors();
        return new CloneForecast(checks.checks(), suspension(process.resident()));
    }

    /** How long a process stands still for its snapshot: it grows with what is resident, not with the live heap. */
    public static Duration suspension(long resident) {
        return FIXED.plusNanos((long) (resident * NANOS_PER_BYTE));
    }

    private void privileges() {
        List<String> lacking = machine.lacking();
        check(
                "privileges",
                lacking.isEmpty(),
                "all that a snapshot needs",
                "lacking " + String.join(", ", lacking) + "; run this as root");
        if (lacking.isEmpty() && machine.uid() != 0) {
            refuse("user", "user " + machine.uid() + " can't make mounts and namespaces; run this as root");
        }
        if (machine.needsUserOf(target.uid())) {
            pass("rlimits", "cap_sys_resource is lacking: CRIU runs as the service's user " + target.uid());
        }
        programs(machine.missing(), "util-linux, iproute2 and findutils");
        overlay(machine);
    }

    private void process() {
        if (!isContainer) {
            container();
            session();
        }
        check(
                "tracer",
                process.tracer() == 0,
                "none",
                "process " + process.tracer() + " debugs or traces it; detach that first");
        check(
                "state",
                "RSI".indexOf(process.state()) >= 0,
                "it runs",
                "its state is " + process.state() + " (expected: running or sleeping); continue it first");
        features();
    }

    private void container() {
        if (!process.foreignNamespaces().isEmpty() || process.hasOwnRoot()) {
            String why = process.foreignNamespaces().isEmpty()
                    ? "a root directory of its own"
                    : "namespaces of its own (" + String.join(", ", process.foreignNamespaces()) + ")";
            refuse("container", "the process has " + why + "; name its container instead: --container NAME");
        } else {
            pass("container", "none");
        }
    }

    private void features() {
        prefer(
                "children",
                process.children().isEmpty(),
                "none",
                "its child processes are copied too: " + words(process.children()));
        prefer("seccomp", process.seccomp() == 0, "none", "mode " + process.seccomp() + ": its filters are copied");
        check(
                "huge-pages",
                process.hugePages() == 0,
                "none",
                "explicit huge pages can't be copied; start the service with -XX:-UseLargePages");
        check(
                "shared-memory",
                process.mapped().stream().noneMatch(MappedFile::isSystemV),
                "no System V segment",
                "System V shared memory can't be copied; use another way to make the copy");
        if (process.mapped().stream().anyMatch(MappedFile::isJavaHeap)) {
            warn("collector", "ZGC counts its heap two to three times, so the prediction is too high");
        } else {
            pass("collector", "the heap is private memory");
        }
        pass("attach", process.hasAttachSocket() ? "its listener's socket is removed from the copy" : "no listener");
    }

    private void session() {
        boolean terminal = process.files().stream()
                .anyMatch(file ->
                        file.link().startsWith("/dev/pts/") || file.link().startsWith("/dev/tty"));
        if (process.leader() == Leader.ITSELF) {
            pass("session", "it leads its session");
        } else if (terminal) {
            refuse("session", "it runs in a terminal; start the service with: setsid COMMAND </dev/null >FILE 2>&1");
        } else if (process.leader() == Leader.OUTSIDE) {
            refuse("session", "its session began in another PID namespace; start the service with: setsid COMMAND");
        } else {
            warn("session", "it doesn't lead its session; the copy joins another one");
        }
    }

    private void cost() {
        Duration predicted = suspension(process.resident());
        String found = "about " + predicted.toMillis() + " ms for " + megabytes(process.resident()) + " resident";
        check(
                "suspension",
                predicted.compareTo(limits.suspension()) <= 0,
                found,
                found + " (max-suspend: " + limits.suspension().toMillis()
                        + " ms); raise max-suspend, or start the service with a smaller -Xmx");
        prefer(
                "priority",
                machine.hasRealtime(),
                "the snapshot goes before all other programs",
                "the snapshot can't be preferred (chrt), so a busy machine makes it several times longer");
    }

    private void memory() {
        long output = process.outputBytes();
        check(
                "output",
                output <= limits.writable(),
                megabytes(output) + " of files that it writes",
                megabytes(output) + " of files that it writes (writable: " + megabytes(limits.writable())
                        + "); rotate its logs, or raise writable");
        long image = process.resident() * 3 / 2 + output;
        String room = megabytes(machine.imageRoom()) + " free in " + limits.images();
        check("image", machine.imageRoom() > image, room, room + ", " + megabytes(image) + " needed; choose another");
        if (!machine.imageFileSystem().equals("tmpfs")) {
            warn(
                    "secrets",
                    limits.images() + " is on " + machine.imageFileSystem()
                            + ": the image holds all secrets of the process, on disk; choose a tmpfs");
        }
        long needed = process.resident() * 5 / 2 + 2 * output;
        String free = megabytes(machine.memory()) + " available";
        check(
                "memory",
                machine.memory() > needed,
                free,
                free + ", " + megabytes(needed) + " needed for image and copy; end other programs first");
        if (isContainer) {
            pass("copy-limits", "production's own, and less processor weight");
        } else {
            copyLimits(machine);
        }
    }

    private void descriptors() {
        List<String> odd = process.files().stream()
                .map(OpenDescriptor::link)
                .filter(ForecastChecks::isUnsupported)
                .distinct()
                .limit(8)
                .toList();
        check(
                "descriptors",
                odd.isEmpty(),
                "nothing that can't be copied",
                words(odd) + ": CRIU can't copy these; use another way to make the copy");
        long inPlace = process.inPlaceBytes();
        check(
                "in-place",
                inPlace <= MOST_IN_PLACE,
                megabytes(inPlace) + " of files are copied while it stands still",
                megabytes(inPlace) + " of files are written in place (at most " + megabytes(MOST_IN_PLACE)
                        + "); move that store out of the process");
        long deleted = process.largestDeleted();
        check(
                "deleted",
                deleted <= LARGEST_DELETED,
                "no open file without a name is too large",
                "an open file without a name has " + megabytes(deleted) + " (at most " + megabytes(LARGEST_DELETED)
                        + "); restart the service, or close that file");
        if (isContainer) {
            return; // who restores the container has checked that
        }
        prefer(
                "outside",
                process.outside().isEmpty(),
                "no pipe or socket leads to another process of this machine",
                "end at /dev/null in the copy: " + words(process.outside()));
    }

    private static boolean isUnsupported(String link) {
        if (link.startsWith("anon_inode:")) {
            return !link.matches("anon_inode:(\\[(eventpoll|eventfd|timerfd|signalfd|pidfd)]|inotify)");
        }
        return link.matches("/dev/(nvidia.*|kfd|fuse|kvm|net/tun|dri/.*)");
    }

    private static String words(List<?> words) {
        return words.stream().limit(8).map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String megabytes(long bytes) {
        return ((bytes + (1 << 20) - 1) >> 20) + " MB";
    }
}
