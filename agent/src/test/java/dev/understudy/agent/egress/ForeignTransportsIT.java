package dev.understudy.agent.egress;

import dev.understudy.agent.bootstrap.Egress;
import dev.understudy.agent.fork.NativeTransports;
import dev.understudy.agent.loading.Reach;
import dev.understudy.agent.weave.ClassNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Transports of Netty that no test here connects by: as class files that are changed. */
final class ForeignTransportsIT {
    private final Map<String, String> failures = new TreeMap<>();
    private final EgressTransformer transformer = new EgressTransformer(new Reach(told -> {}), failures::put);

    @ParameterizedTest
    @CsvSource({
        "netty-transport-classes-kqueue, io/netty/channel/kqueue/AbstractKQueueChannel",
        "netty-incubator-transport-classes-io_uring, "
                + "io/netty/incubator/channel/uring/AbstractIOUringChannel$AbstractUringUnsafe",
    })
    void theyAskBeforeTheyConnect(String jar, String name) throws IOException {
        try (JarFile classes = new JarFile(NativeTransports.jar(jar).toFile());
                InputStream in = classes.getInputStream(classes.getJarEntry(name + ".class"))) {
            byte[] asking = Objects.requireNonNull(
                    transformer.transform(getClass().getClassLoader(), name, null, null, in.readAllBytes()));

            assertThat(new String(asking, StandardCharsets.ISO_8859_1)).contains(ClassNames.of(Egress.class));
            assertThat(failures).isEmpty();
        }
    }
}
