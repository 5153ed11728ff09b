package dev.understudy.session.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Which of the programs and privileges that every session needs are there. */
public final class HostNeeds {
    private static final Map<Integer, String> CAPABILITIES = new TreeMap<>(Map.of(
            12, "CAP_NET_ADMIN",
            19, "CAP_SYS_PTRACE",
            21, "CAP_SYS_ADMIN"));
    private static final Map<String, String> PROGRAMS = new TreeMap<>(Map.of(
            "ip", "install the package iproute2",
            "iptables", "install the package iptables",
            "nsenter", "install the package util-linux"));

    private HostNeeds() {}

    /** All of them. */
    public static List<PlanNeed> all() {
        return of(status(), Objects.requireNonNullElse(System.getenv("PATH"), ""));
    }

    /** The same, by a status of this process and a search path. */
    static List<PlanNeed> of(String status, String path) {
        List<PlanNeed> needs = new ArrayList<>();
        long held = capabilities(status);
        CAPABILITIES.forEach((bit, name) ->
                needs.add(new PlanNeed(name, ((held >> bit) & 1) != 0, "run as root, by sudo, or give it by setpriv")));
        PROGRAMS.forEach((name, wayOut) -> needs.add(new PlanNeed(name, isOn(path, name), wayOut)));
        return needs;
    }

    /** Where a program is, by a search path. */
    static boolean isOn(String path, String program) {
        for (String folder : path.split(":", -1)) {
            try {
                if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
                    return true;
                }
            } catch (IllegalArgumentException noPath) {
                // nothing is there
            }
        }
        return false;
    }

    private static long capabilities(String status) {
        return status.lines()
                .filter(line -> line.matches("CapEff:\\s+[0-9a-f]{1,16}"))
                .mapToLong(line -> Long.parseUnsignedLong(
                        line.substring("CapEff:".length()).strip(), 16))
                .findFirst()
                .orElse(0);
    }

    private static String status() {
        try {
            return Files.readString(Path.of("/proc/self/status"));
        } catch (IOException none) {
            return "";
        }
    }
}
