package dev.understudy.session.target.survey;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A folder that looks like {@code /proc} with one process, whose contents are as hostile as wanted. */
final class FakeProc {
    static final long PID = 4242;
    static final String STATUS = """
            Name:\tjava
            State:\tS (sleeping)
            Tgid:\t4242
            Uid:\t1000\t1000\t1000\t1000
            Gid:\t1000\t1000\t1000\t1000
            VmRSS:\t  1024 kB
            Threads:\t7
            """;
    static final String MAPS = "7f00-7f01 r-xp 00000000 08:01 1 /opt/jdk/lib/server/libjvm.so\n";

    private final Path root;

    FakeProc(Path root) throws IOException {
        this.root = root;
        for (String folder : List.of("fd", "fdinfo", "task/4242", "net", "root/opt/jdk", "root/etc")) {
            Files.createDirectories(process().resolve(folder));
        }
        write("status", STATUS);
        write("stat", stat(100));
        write("maps", MAPS);
        write("cmdline", "java\0-Xmx1g\0");
        write("environ", "");
        write("net/tcp", "heading\n");
        write("task/4242/comm", "VM Thread\n");
        write("root/opt/jdk/release", "JAVA_VERSION=\"21.0.1\"\n");
        Files.createSymbolicLink(process().resolve("cwd"), process().resolve("root"));
        for (Path one :
                List.of(process(), root.resolve("" + ProcessHandle.current().pid()))) {
            Files.createDirectories(one.resolve("ns"));
            for (String kind : List.of("net", "mnt", "pid")) {
                Files.createSymbolicLink(one.resolve("ns").resolve(kind), Path.of(kind + ":[4026531840]"));
            }
        }
    }

    static String stat(long startTicks) {
        return "4242 (a (b) c) S 1 4242 4242 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 7 0 " + startTicks + " 1 1\n";
    }

    Path root() {
        return root;
    }

    Path process() {
        return root.resolve("" + PID);
    }

    void write(String name, String text) throws IOException {
        Files.write(process().resolve(name), text.getBytes(StandardCharsets.UTF_8));
    }

    /** A descriptor with that number, and what it points to. */
    void descriptor(int number, String target) throws IOException {
        Files.createSymbolicLink(process().resolve("fd/" + number), Path.of(target));
    }

    TargetSurveyor surveyor() {
        return new TargetSurveyor(root, SurveyOptions.QUIET);
    }
}
