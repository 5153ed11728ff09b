package dev.understudy.session.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What this JVM is, and whether it can attach to others. */
final class JvmHealth {
    private static final int OLDEST = 17;
    private static final long MOST_FILES = 4_096;
    private static final Pattern FILES = Pattern.compile("(?m)^Max open files +\\S+ +(\\d{1,18}|unlimited)");

    private JvmHealth() {}

    static HealthFinding version(String name) {
        String version = System.getProperty("java.version") + " in " + System.getProperty("java.home");
        return Runtime.version().feature() >= OLDEST
                ? HealthFinding.ok(name, version)
                : HealthFinding.fail(name, version, "install a JRE " + OLDEST + " or newer, and set JAVA_HOME");
    }

    /** By the module, the folder where the JVMs meet, and the kernel's rule for looking into processes. */
    static HealthFinding attach(String name, Path proc, Path temporary) throws IOException {
        if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
            return HealthFinding.warn(
                    name, "this JRE has no module jdk.attach", "use a JRE with it for understudy attach and debug");
        }
        if (!Files.isWritable(temporary)) {
            return HealthFinding.warn(
                    name, temporary + " can't be written", "JVMs meet there: make it writable for understudy attach");
        }
        Path scope = proc.resolve("sys/kernel/yama/ptrace_scope");
        String rule = Files.isReadable(scope) ? Files.readString(scope).strip() : "0";
        if (rule.equals("2") || rule.equals("3")) {
            return HealthFinding.warn(
                    name,
                    "kernel.yama.ptrace_scope is " + rule,
                    rule.equals("3")
                            ? "live copies need a boot with less: sysctl kernel.yama.ptrace_scope=1"
                            : "run understudy debug as root, or set it to 1 by sysctl");
        }
        return HealthFinding.ok(name, "to JVMs of " + System.getProperty("user.name"));
    }

    static HealthFinding openFiles(String name, Path proc) throws IOException {
        Matcher limit = FILES.matcher(Files.readString(proc.resolve("self/limits")));
        if (!limit.find()) {
            return HealthFinding.warn(name, "no limit is shown", "look at ulimit -Hn");
        }
        String most = limit.group(1);
        return most.equals("unlimited") || Long.parseLong(most) >= MOST_FILES
                ? HealthFinding.ok(name, "up to " + most)
                : HealthFinding.warn(
                        name,
                        "up to " + most + " (expected: " + MOST_FILES + " or more)",
                        "each connection takes two or three: raise it by ulimit -n, or LimitNOFILE of the unit");
    }
}
