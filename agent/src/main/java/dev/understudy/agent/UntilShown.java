package dev.understudy.agent;

import dev.understudy.agent.export.OwnThreads;
import dev.understudy.agent.export.SidecarClient;
import dev.understudy.agent.export.Stderr;
import dev.understudy.agent.handshake.Handshake;
import dev.understudy.agent.handshake.SharedKey;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the agent inert until a handshake with the sidecar has shown that this is the debug JVM; in a class loader of
 * the agent's.
 */
public final class UntilShown {
    private UntilShown() {}

    /**
     * Called by {@link Agent}, once; returns at once, and tells {@code shown} on a thread of the agent's whether it is.
     */
    public static void ask(@Nullable String arguments, Consumer<Boolean> shown) {
        AgentConfig config;
        SharedKey key;
        try {
            config = AgentConfig.of(arguments == null ? "" : arguments, System.getenv());
            key = SharedKey.read(Path.of(config.keyfile()));
        } catch (IllegalArgumentException | IOException wrong) {
            Stderr.line("inert, wrong setting: "
                    + String.valueOf(wrong.getMessage()).replace("\n", "; "));
            shown.accept(false);
            return;
        }
        if (!NeededModules.areIn(ModuleLayer.boot())) {
            shown.accept(false);
            return;
        }
        Stderr.line("inert until the sidecar at " + config.sidecar() + " shows that this is the debug JVM");
        OwnThreads threads = new OwnThreads();
        threads.start("handshake", () -> shown.accept(isDebug(config, key, threads)));
    }

    private static boolean isDebug(AgentConfig config, SharedKey key, OwnThreads threads) {
        try (SidecarClient sidecar = new SidecarClient(config.sidecar(), config.token(), config.tls(), threads)) {
            return new Handshake(sidecar, key, config.name().replaceAll("[^A-Za-z0-9._-]", "_")).isDebug();
        } catch (GeneralSecurityException | InterruptedException | RuntimeException | LinkageError ended) {
            Stderr.line("inert: " + ended);
            return false;
        }
    }
}
