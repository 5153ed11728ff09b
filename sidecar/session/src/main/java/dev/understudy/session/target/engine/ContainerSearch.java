package dev.understudy.session.target.engine;

import dev.understudy.session.target.ContainerFacts;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.engine.ContainerEngine.Found;
import dev.understudy.session.target.proc.ProcFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Finds the one running container that a person means, in the engines of this machine. */
public final class ContainerSearch {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}");
    private static final int MOST_NAMED = 10;

    private final List<ContainerEngine> engines;
    private final Path proc;

    /** Docker first, then Podman. */
    public ContainerSearch() {
        this(List.of("docker", "podman"), Path.of("/proc"));
    }

    ContainerSearch(List<String> programs, Path proc) {
        this.engines = programs.stream().map(ContainerEngine::new).toList();
        this.proc = proc;
    }

    /**
     * Finds a container by its name or id.
     *
     * @throws TargetException if there is none, or it doesn't run, or runs on another machine; with the way out
     */
    public ContainerFacts container(String name) throws TargetException, InterruptedException {
        check("--container", name);
        List<Found> found = search(engine -> engine.inspect(List.of(name)));
        if (found.isEmpty()) {
            throw new TargetException(
                    "no container " + name + " (expected: a name or id that " + programs(" ps or ") + " ps shows)");
        }
        return running(found.get(0));
    }

    /**
     * Finds a compose service's only container.
     *
     * @throws TargetException if there is none, or none that runs, or several
     */
    public ContainerFacts service(String service) throws TargetException, InterruptedException {
        check("--compose", service);
        List<Found> all = search(engine -> {
            List<String> ids = engine.service(service);
            return ids.isEmpty() ? List.of() : engine.inspect(ids);
        });
        if (all.isEmpty()) {
            throw new TargetException("no container of a compose service " + service
                    + " (expected: a service that docker compose ps shows; start it by docker compose up -d " + service
                    + ")");
        }
        List<Found> running =
                all.stream().filter(found -> found.status().equals("running")).toList();
        if (running.size() > 1) {
            String names = String.join(
                    ", ",
                    running.stream()
                            .limit(MOST_NAMED)
                            .map(found -> found.facts().name())
                            .toList());
            throw new TargetException("the compose service " + service + " has " + running.size()
                    + " containers that run (expected: one of them, by --container: " + names + ")");
        }
        return running(running.isEmpty() ? all.get(0) : running.get(0));
    }

    private static void check(String option, String name) throws TargetException {
        if (!NAME.matcher(name).matches()) {
            throw new TargetException(option + ": no name (expected: letters, digits and _ . -)");
        }
    }

    private interface Query {
        List<Found> of(ContainerEngine engine) throws IOException, TargetException, InterruptedException;
    }

    /** The first engine's that has any. What keeps an engine from replying counts only if no other one has it. */
    private List<Found> search(Query query) throws TargetException, InterruptedException {
        Map<String, TargetException> problems = new LinkedHashMap<>();
        int missing = 0;
        for (ContainerEngine engine : engines) {
            try {
                List<Found> found = query.of(engine);
                if (!found.isEmpty()) {
                    return found;
                }
            } catch (IOException notThere) {
                missing++;
            } catch (TargetException unusable) {
                problems.put(engine.program(), unusable);
            }
        }
        if (missing == engines.size()) {
            throw new TargetException("no container engine: neither " + programs(" nor ")
                    + " is on the PATH (expected: one of them, or --pid with the service's process)");
        }
        if (!problems.isEmpty()) {
            throw problems.values().iterator().next();
        }
        return List.of();
    }

    private ContainerFacts running(Found found) throws TargetException {
        ContainerFacts facts = found.facts();
        String container = "container " + facts.name();
        switch (found.status()) {
            case "running" -> {
                if (!isOfThisMachine(facts)) {
                    throw new TargetException(container + " doesn't run on this machine: process " + facts.pid()
                            + " isn't its (expected: " + facts.engine() + " on the same machine, in no virtual one)");
                }
                return facts;
            }
            case "paused" ->
                throw new TargetException(container + " is paused (expected: one that runs; " + facts.engine()
                        + " unpause " + facts.name() + ")");
            default ->
                throw new TargetException(container + " doesn't run: it is "
                        + (found.status().isEmpty() ? "in no known state" : found.status())
                        + " (expected: one that runs; "
                        + facts.engine() + " start " + facts.name() + ")");
        }
    }

    /** The same number may be another process here: the kernel shows the container's id in the process's groups. */
    private boolean isOfThisMachine(ContainerFacts facts) {
        try {
            return new ProcFiles(proc, facts.pid()).text("cgroup", 64 << 10).contains(facts.id());
        } catch (IOException noSuchProcess) {
            return false;
        }
    }

    private String programs(String between) {
        List<String> programs = new ArrayList<>();
        engines.forEach(engine -> programs.add(engine.program()));
        return String.join(between, programs);
    }
}
