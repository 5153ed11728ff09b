package dev.understudy.session.doctor;

import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.process.CriuProgram;
import dev.understudy.session.host.HostCommand;
import dev.understudy.session.plan.HostNeeds;
import dev.understudy.session.plan.PlanNeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Other people's programs and the rights to use them, as debug sessions need them. Each is asked for its version. */
final class ProgramHealth {
    private ProgramHealth() {}

    /** Capabilities, and programs of the network. */
    static HealthFinding rights(String name) {
        List<PlanNeed> missing =
                HostNeeds.all().stream().filter(need -> !need.isThere()).toList();
        if (missing.isEmpty()) {
            return HealthFinding.ok(name, "all that understudy debug needs");
        }
        List<String> names = missing.stream().map(PlanNeed::name).toList();
        return HealthFinding.warn(
                name,
                "without " + String.join(", ", names),
                "only understudy debug needs it: " + missing.get(0).wayOut());
    }

    static HealthFinding engine(String name, Duration limit) throws InterruptedException {
        List<String> there = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        for (String program : List.of("docker", "podman")) {
            try {
                HostCommand.Result version =
                        HostCommand.run(limit, List.of(program, "version", "--format", "{{.Server.Version}}"));
                if (version.isFine()) {
                    there.add(program + " " + version.lastLine());
                } else {
                    silent.add(program + ": " + (version.code() < 0 ? "no answer" : version.lastLine()));
                }
            } catch (IOException missing) {
                // there is none of that name
            }
        }
        if (!there.isEmpty()) {
            return HealthFinding.ok(name, String.join(", ", there));
        }
        return HealthFinding.warn(
                name,
                silent.isEmpty() ? "neither docker nor podman" : String.join("; ", silent),
                silent.isEmpty()
                        ? "install one if services run in containers"
                        : "start it, or join its group: understudy debug container:NAME needs it");
    }

    static HealthFinding criu(String name, Map<String, String> environment) throws InterruptedException {
        try {
            CloneCheck version = CriuProgram.find(Optional.empty(), environment).version();
            return version.outcome() == CloneCheck.Outcome.PASS
                    ? HealthFinding.ok(name, version.finding())
                    : HealthFinding.warn(name, version.finding(), "understudy debug restarts the service without it");
        } catch (CloneException missing) {
            return HealthFinding.warn(
                    name, String.valueOf(missing.getMessage()), "understudy debug restarts the service without it");
        }
    }

    /** Its rules aren't listed: that may load modules of the kernel. */
    static HealthFinding packetFilter(String name, Duration limit, Path proc) throws InterruptedException {
        String wayOut = "only understudy debug needs it: install the package iptables; or put the sidecar in front of"
                + " the service by hand";
        try {
            HostCommand.Result version = HostCommand.run(limit, List.of("iptables", "--version"));
            if (!version.isFine()) {
                return HealthFinding.warn(name, "iptables: " + version.lastLine(), wayOut);
            }
            return Files.isDirectory(proc.resolve("sys/net/netfilter"))
                    ? HealthFinding.ok(name, version.lastLine())
                    : HealthFinding.warn(name, version.lastLine() + ", and a kernel without netfilter", wayOut);
        } catch (IOException missing) {
            return HealthFinding.warn(name, "no iptables", wayOut);
        }
    }
}
