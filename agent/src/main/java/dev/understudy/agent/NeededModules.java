package dev.understudy.agent;

import dev.understudy.agent.export.MissingModules;
import dev.understudy.agent.export.Stderr;
import java.util.ArrayList;
import java.util.List;

/** The JDK's modules that the agent can't do without. */
final class NeededModules {
    private static final List<String> ALL = List.of("java.net.http", "java.management");

    private NeededModules() {}

    /** Whether all are in that layer, the JVM's boot layer; if not, the operator learns what is missing. */
    static boolean areIn(ModuleLayer layer) {
        List<String> missing = new ArrayList<>();
        for (String module : ALL) {
            if (layer.findModule(module).isEmpty()) {
                missing.add(module);
            }
        }
        if (missing.isEmpty()) {
            return true;
        }
        Stderr.line("inert: this JVM was started without modules that the agent needs (expected: "
                + MissingModules.remedy(missing) + ")");
        return false;
    }
}
