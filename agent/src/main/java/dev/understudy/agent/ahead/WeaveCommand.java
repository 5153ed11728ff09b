package dev.understudy.agent.ahead;

import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.lock.LockSites;
import dev.understudy.agent.weave.ApplicationCode;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.Weaver;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.bytebuddy.jar.asm.ClassReader;
import org.jspecify.annotations.Nullable;

/** {@code weave}: fills the folder of the agent's setting {@code cache} with an application's classes. */
public final class WeaveCommand {
    private static final String USAGE = String.join(
            "\n",
            "Usage: understudy weave --cache=DIR [--packages=NAME;NAME...] PATH...",
            "       java -jar understudy-agent.jar weave --cache=DIR [--packages=NAME;NAME...] PATH...",
            "",
            "Weaves the classes of jars and folders before a debug JVM loads them, as while "
                    + "an image is built. Start the JVM with the same",
            "agent and its setting cache=DIR: it then weaves only what isn't there, or is "
                    + "there with other bytes. The jars stay as they are.",
            "",
            "  --cache=DIR      where the agent will look; only this user, or root, may write there",
            "  --packages=...   as the agent's setting of that name, for libraries too: * is "
                    + "all that is found, and jars within a jar are",
            "                   looked into. Without it all classes of the jars and folders themselves are woven.",
            "",
            "Exit codes: 0 done, 1 something couldn't be done, and nothing was kept");
    /** A gate is a number, and there are so many: a directory for each batch of classes. */
    private static final int BATCH = 1000;

    private static final int SHOWN = 5;

    private final WovenCache cache;
    private final @Nullable ApplicationCode wanted;
    private final ClassLoader loader = WeaveCommand.class.getClassLoader();
    private final List<String> problems = new ArrayList<>();
    private Weaver weaver;
    private int seen;
    private int woven;
    private int kept;

    private WeaveCommand(WovenCache cache, @Nullable ApplicationCode wanted) {
        this.cache = cache;
        this.wanted = wanted;
        this.weaver = weaver(cache);
    }

    /**
     * Runs it; what it has to say is printed.
     *
     * @param agent the agent's jar
     * @return whether it was done
     */
    public static boolean run(Path agent, String[] arguments, PrintStream out, PrintStream err) {
        String folder = "";
        List<String> packages = List.of();
        List<Path> paths = new ArrayList<>();
        for (int n = 1; n < arguments.length; n++) {
            String argument = arguments[n];
            if (argument.equals("--help") || argument.equals("-h")) {
                out.println(USAGE);
                return true;
            } else if (argument.startsWith("--cache=")) {
                folder = argument.substring("--cache=".length());
            } else if (argument.startsWith("--packages=")) {
                packages = List.of(argument.substring("--packages=".length()).split("[;\\s]+", -1));
            } else if (argument.startsWith("-")) {
                err.println(argument + ": unknown (expected: --cache=DIR, --packages=NAME;NAME..., and paths)");
                return false;
            } else {
                paths.add(Paths.get(argument));
            }
        }
        if (arguments.length == 0 || !arguments[0].equals("weave") || folder.isEmpty() || paths.isEmpty()) {
            err.println(USAGE);
            return false;
        }
        try {
            return weave(agent, Paths.get(folder), packages, paths, out, err);
        } catch (IOException | RuntimeException problem) {
            err.println("nothing is kept: " + problem);
            return false;
        }
    }

    private static boolean weave(
            Path agent, Path folder, List<String> packages, List<Path> paths, PrintStream out, PrintStream err)
            throws IOException {
        WovenCache cache = WovenCache.of(folder, agent);
        boolean all = packages.isEmpty() || packages.contains("*");
        WeaveCommand command = new WeaveCommand(cache, all ? null : ApplicationCode.inPackages(packages));
        for (Path path : paths) {
            ClassFiles.of(path, !packages.isEmpty(), command::take);
        }
        command.problems.stream().limit(SHOWN).forEach(err::println);
        if (command.seen == 0) {
            err.println("nothing is kept: there are no such classes in " + paths);
            return false;
        }
        cache.save();
        out.printf(
                Locale.ROOT,
                "%d classes: %d woven, %d with nothing to weave, %d that can't be woven; %d kept in %s (%d kB)%n",
                command.seen,
                command.woven,
                command.seen - command.woven - command.problems.size(),
                command.problems.size(),
                command.kept,
                folder,
                Files.size(folder.resolve("woven")) / 1000);
        if (command.kept < command.seen - command.problems.size()) {
            err.println("the others are woven when they are loaded: there is no more room, "
                    + "or a method of theirs is too large");
        }
        return true;
    }

    /** As the agent's own, with numbers that nobody uses. */
    private static Weaver weaver(WovenCache cache) {
        BranchDirectory numbers = new BranchDirectory();
        return new Weaver(new ProbeDirectory(), cache, false, new SecondLevel(numbers), new LockSites(numbers));
    }

    private void take(String place, byte[] classFile) {
        try {
            String name = new ClassReader(classFile).getClassName();
            if (wanted != null && !wanted.owns(name, null)) {
                return;
            }
            if (++seen % BATCH == 0) {
                weaver = weaver(cache);
            }
            woven += weaver.weave(loader, classFile) == null ? 0 : 1;
            kept += cache.find(classFile) == null ? 0 : 1;
        } catch (RuntimeException problem) {
            problems.add(place + " can't be woven: " + problem);
        }
    }
}
