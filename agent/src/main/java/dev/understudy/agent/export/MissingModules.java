package dev.understudy.agent.export;

import java.lang.module.ModuleFinder;
import java.util.ArrayList;
import java.util.List;

/**
 * How modules of the JDK come into a JVM that lacks them: an application that is started as a module has only those
 * that it asks for, and an image made by jlink only those that were put into it. Stateless.
 */
public final class MissingModules {
    private MissingModules() {}

    /** What adds these to the next start of this JVM. */
    public static String remedy(List<String> missing) {
        return remedy(missing, ModuleFinder.ofSystem());
    }

    /** @param image what the JVM could be started with */
    static String remedy(List<String> missing, ModuleFinder image) {
        List<String> unlinked = new ArrayList<>();
        for (String module : missing) {
            if (image.find(module).isEmpty()) {
                unlinked.add(module);
            }
        }
        String all = String.join(",", missing);
        if (unlinked.isEmpty()) {
            return "--add-modules " + all;
        }
        return "an image made with jlink --add-modules " + String.join(",", unlinked) + ",…"
                + (unlinked.size() < missing.size() ? " and a start with --add-modules " + all : "");
    }
}
