package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneCheck.Outcome;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.facts.MachineFacts;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.host.HostCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The CRIU of this machine. What a check and a trial showed is kept in the user's cache folder, for each version of
 * CRIU and of the kernel.
 *
 * @param file the program
 * @param cache the folder for what the trial showed
 */
public record CriuProgram(Path file, Path cache) {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Pattern VERSION = Pattern.compile("(?m)^Version: (\\d{1,4})\\.(\\d{1,4})\\S*");
    private static final String NUMBER = "version ";
    private static final String WAY_OUT = "install CRIU 4.2 or later (docs/guides/live-clone.md shows how)";

    /**
     * Finds it: as the option names it, else {@code UNDERSTUDY_CRIU}, else on the {@code PATH}.
     *
     * @throws CloneException if there is none
     */
    public static CriuProgram find(Optional<Path> option, Map<String, String> environment) throws CloneException {
        String variable = environment.getOrDefault("UNDERSTUDY_CRIU", "");
        Path file;
        if (option.isPresent() || !variable.isEmpty()) {
            file = option.orElseGet(() -> Path.of(variable));
            if (!Files.isExecutable(file) || Files.isDirectory(file)) {
                throw new CloneException(file + ": no program (expected: CRIU); " + WAY_OUT);
            }
        } else {
            file = MachineFacts.inPath("criu").orElseThrow(() -> new CloneException("criu: not found; " + WAY_OUT));
        }
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path cache = caches.isEmpty() ? Path.of(home, ".cache") : Path.of(caches);
        return new CriuProgram(file.toAbsolutePath(), cache.resolve("understudy"));
    }

    /**
     * Checks that it is new enough, that the kernel has what it needs, and that a process of its own can be copied.
     *
     * @param images where the trial's image is put
     */
    public List<CloneCheck> checks(Path images) throws InterruptedException {
        List<CloneCheck> checks = new ArrayList<>();
        CloneCheck version = version();
        checks.add(version);
        if (version.outcome() != Outcome.PASS) {
            return checks;
        }
        try {
            kernel(checks, version.finding().substring(NUMBER.length()), images);
        } catch (IOException unusable) {
            checks.add(refuse("criu", file + ": " + unusable.getMessage() + "; " + WAY_OUT));
        }
        return checks;
    }

    /** Checks only that it is CRIU and new enough; the finding is the version then. */
    public CloneCheck version() throws InterruptedException {
        try {
            String printed = HostCommand.run(LIMIT, List.of(file.toString(), "--version"))
                    .output();
            Matcher version = VERSION.matcher(printed);
            if (!version.find()) {
                return refuse("criu", file + ": not CRIU; " + WAY_OUT);
            }
            String number = version.group().substring("Version: ".length());
            int major = Integer.parseInt(version.group(1));
            if (major < 4 || (major == 4 && Integer.parseInt(version.group(2)) < 2)) {
                return refuse("criu", file + ": version " + number + " (expected: 4.2 or later); " + WAY_OUT);
            }
            return new CloneCheck("criu", Outcome.PASS, NUMBER + number);
        } catch (IOException unusable) {
            return refuse("criu", file + ": " + unusable.getMessage() + "; " + WAY_OUT);
        }
    }

    private void kernel(List<CloneCheck> checks, String version, Path images) throws IOException, InterruptedException {
        String kernel = System.getProperty("os.version");
        Path known = cache.resolve(("criu-" + version + "-" + kernel).replaceAll("[^A-Za-z0-9.-]", "_"));
        if (!ProcFile.lines(known).contains(file.toString())) {
            HostCommand.Result check = HostCommand.run(LIMIT, List.of(file.toString(), "check"));
            if (!check.isFine()) {
                checks.add(refuse(
                        "kernel", "criu check: " + check.lastLine() + "; another kernel is needed, or more rights"));
                return;
            }
            if (!HostCommand.run(LIMIT, List.of(file.toString(), "check", "--feature", "timens"))
                    .isFine()) {
                checks.add(refuse(
                        "time", "no time namespaces, so clocks would jump in the copy; another kernel is needed"));
                return;
            }
            try {
                CriuTrial.run(file, images);
            } catch (CloneException failed) {
                checks.add(refuse(
                        "trial", "a process made for it couldn't be copied: " + failed.getMessage() + "; " + WAY_OUT));
                return;
            }
            remember(known);
        }
        checks.add(new CloneCheck("kernel", Outcome.PASS, "a process made for it was copied on " + kernel));
    }

    private void remember(Path known) {
        try {
            Files.createDirectories(cache);
            Files.writeString(known, file + "\n");
        } catch (IOException refused) {
            // the next run tries again
        }
    }

    private static CloneCheck refuse(String name, String finding) {
        return new CloneCheck(name, Outcome.REFUSE, finding);
    }
}
